// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "BookmarksServer",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "Bookmarks", targets: ["Bookmarks"]),
    // For the tests of other servers: one server, many tests, each with its own doubles.
    .library(name: "SandboxServer", targets: ["SandboxServer"]),
  ],
  dependencies: [
    .package(name: "DIContainer", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(
      name: "BookmarksKit",
      dependencies: [
        "DIContainer",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(name: "Bookmarks", dependencies: ["BookmarksKit", "DIContainer"]),

    // None of the rest is in the server.
    .target(
      name: "SandboxServer",
      dependencies: [
        "DIContainer",
        .product(name: "DITesting", package: "DIContainer"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .target(
      name: "BookmarksDoubles",
      dependencies: [
        "BookmarksKit", "DIContainer", "SandboxServer",
        .product(name: "DITesting", package: "DIContainer"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "BookmarksTrial",
      dependencies: ["BookmarksDoubles", "BookmarksKit", "DIContainer", "SandboxServer"]),
    .executableTarget(
      name: "BookmarksLoad",
      dependencies: [
        "BookmarksKit", "DIContainer",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "BookmarksTests",
      dependencies: [
        "BookmarksDoubles", "BookmarksKit", "DIContainer", "SandboxServer",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "DITesting", package: "DIContainer"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
