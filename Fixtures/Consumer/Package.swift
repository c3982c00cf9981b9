// swift-tools-version: 6.2
import PackageDescription

// By path; or as users have it, by the version of a clone that the environment names.
let dependency: Package.Dependency
let identity: String
if let url = Context.environment["DICONTAINER_URL"],
  let version = Context.environment["DICONTAINER_VERSION"].flatMap({ Version($0) })
{
  dependency = .package(url: url, exact: version)
  identity = "DIContainer"
} else {
  dependency = .package(path: "../..")
  // A package that is depended on by path is known by the name of its folder, and a clone may have
  // any name.
  identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last!)
}

// An app module as Xcode 26 makes them, with approachable concurrency or without.
let likeXcode: [SwiftSetting] =
  [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]
  + (Context.environment["APPROACHABLE"] == nil
    ? []
    : [
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ])

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [dependency],
  targets: [
    .target(
      name: "Shop", dependencies: [.product(name: "DIContainer", package: identity)]),
    .executableTarget(name: "App", dependencies: ["Shop"]),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop", .product(name: "DITesting", package: identity),
        // For the fixtures in `Compile`, which use this package's build.
        .product(name: "DICompatibility", package: identity),
      ]),
    .target(
      name: "Boutique", dependencies: [.product(name: "DIContainer", package: identity)],
      swiftSettings: likeXcode),
    .executableTarget(name: "BoutiqueApp", dependencies: ["Boutique"], swiftSettings: likeXcode),
    .testTarget(
      name: "BoutiqueTests",
      dependencies: ["Boutique", .product(name: "DITesting", package: identity)],
      swiftSettings: likeXcode),
  ]
)
