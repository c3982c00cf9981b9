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
  name: "DoublesFixture",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(path: "../..")],
  targets: [
    .target(name: "Base"),
    .target(name: "Shapes", dependencies: ["Base"]),
    .target(
      name: "Staying", dependencies: ["Base"],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(name: "Panel", swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "ShapesTests",
      dependencies: ["Shapes", "Panel", "Staying", .product(name: "DITesting", package: identity)],
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
  ]
)
