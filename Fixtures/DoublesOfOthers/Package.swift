// swift-tools-version: 6.2
import PackageDescription

// A package that is depended on by path is known by the name of its folder, and a clone may have
// any name.
let identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last!)

// `.ci/doubles` compiles the same doubles in each of these modes.
let settings: [SwiftSetting] =
  switch Context.environment["DOUBLES_MODE"] {
  case "5": [.swiftLanguageMode(.v5)]
  case "main": [.defaultIsolation(MainActor.self)]
  default: []
  }

let package = Package(
  name: "DoublesOfOthers",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .testTarget(
      name: "OthersTests",
      dependencies: [
        .product(name: "DITesting", package: identity),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings + [.treatAllWarnings(as: .error)])
  ]
)

// These build for minutes: `DOUBLES_OF_SERVERS=1 .ci/doubles` doubles their protocols too.
if Context.environment["DOUBLES_OF_SERVERS"] != nil {
  package.dependencies += [
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
  ]
  package.targets += [
    .testTarget(
      name: "ServersTests",
      dependencies: [
        .product(name: "DITesting", package: identity),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "LibrariesTests",
      dependencies: [
        .product(name: "DITesting", package: identity),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "TrailingElementsModule", package: "swift-collections"),
        .product(name: "_RopeModule", package: "swift-collections"),
      ],
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
  ]
}
