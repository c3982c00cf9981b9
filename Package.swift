// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "DIContainer",
  // The first systems that have `Duration`, in which the API counts time. Typed throws and
  // parameter packs in functions ask for nothing newer. Atomics and thread-local storage come from
  // the small C target, so nothing asks for the Synchronization module.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "DIContainer", targets: ["DIContainer"]),
    .library(name: "DITesting", targets: ["DITesting"]),
    .library(name: "DIAmbient", targets: ["DIAmbient"]),
    .library(name: "DICompatibility", targets: ["DICompatibility"]),
    .plugin(name: "Doubles", targets: ["Doubles"]),
  ],
  targets: [
    .target(name: "DIPrimitives"),
    .target(name: "DIContainer", dependencies: ["DIPrimitives"]),
    .target(name: "DITesting", dependencies: ["DIContainer"]),
    // Date, clock, identifiers, randomness and the like as services: the only one with Foundation
    // in its interface.
    .target(name: "DIAmbient", dependencies: ["DIContainer"]),
    // What only users of other libraries type.
    .target(name: "DICompatibility", dependencies: ["DIContainer", "DIPrimitives"]),
    .plugin(
      name: "Doubles",
      capability: .command(
        // Asking for the permission to write would ask those who only check, too.
        intent: .custom(verb: "doubles", description: "Writes test doubles for protocols.")),
      dependencies: ["DoublesTool"]),
    .executableTarget(name: "DoublesTool", dependencies: ["DoubleGenerator"]),
    .target(name: "DoubleGenerator"),
    .target(
      name: "StorefrontKit", dependencies: ["DIContainer"],
      path: "Samples/Storefront/StorefrontKit", resources: [.copy("orders.csv")]),
    .executableTarget(
      name: "Storefront", dependencies: ["DIContainer", "StorefrontKit"],
      path: "Samples/Storefront/Storefront"),
    .target(
      name: "TestSupport", dependencies: ["DIContainer", "DITesting"], path: "Tests/TestSupport"),
    .testTarget(
      name: "DIContainerTests",
      dependencies: ["DICompatibility", "DIContainer", "DITesting", "TestSupport"]),
    .testTarget(
      name: "DICompatibilityTests", dependencies: ["DICompatibility", "DIContainer", "DITesting"]),
    .testTarget(
      name: "StartupTests",
      dependencies: ["DICompatibility", "DIContainer", "DITesting", "TestSupport"]),
    .testTarget(
      name: "DITestingTests",
      dependencies: ["DICompatibility", "DIContainer", "DITesting", "TestSupport"]),
    // What many threads and tasks do at once; random lives check it against a model of the rules.
    .testTarget(
      name: "ConcurrencyTests",
      dependencies: ["DICompatibility", "DIContainer", "DITesting", "TestSupport"]),
    .testTarget(
      name: "AmbientTests", dependencies: ["DIAmbient", "DIContainer", "DITesting", "TestSupport"]),
    .testTarget(
      name: "DoublesTests", dependencies: ["DoubleGenerator"]),
    .testTarget(
      name: "StorefrontTests", dependencies: ["DIContainer", "DITesting", "StorefrontKit"],
      exclude: ["Wirings"]),
    // Suites of other libraries' users, moved over; how they were before is not compiled.
    .testTarget(
      name: "MigrationTests", dependencies: ["DIContainer", "DICompatibility", "DITesting"],
      path: "Tests/Migration",
      exclude: ["Resolver", "Factory", "Swinject", "DITranquillity", "SwiftDependencies"]
        .map { "\($0)/Before.swift" }),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "DIPrimitives" && target.type != .plugin {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// The test targets that a step of CI builds; all of them by default. Their names, with commas.
if let tests = Context.environment["TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

// Targets that a release build of CI does not optimise: what only ever runs in debug builds costs
// more time there than all else. Their names, with commas.
let unoptimised = Context.environment["UNOPTIMISED"]?.split(separator: ",").map(String.init) ?? []
for target in package.targets where unoptimised.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
}
