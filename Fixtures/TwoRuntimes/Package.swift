// swift-tools-version: 6.2
import PackageDescription

// A package that is depended on by path is known by the name of its folder, and a clone may have
// any name.
let identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last!)
let container = Target.Dependency.product(name: "DIContainer", package: identity)

// Left and Right: each of the two libraries gets a copy of DIContainer of its own, as an app and
// its test bundle do that both link it statically.
let package = Package(
  name: "TwoRuntimes",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "Left", type: .dynamic, targets: ["Left"]),
    .library(name: "Right", type: .dynamic, targets: ["Right"]),
  ],
  dependencies: [.package(path: "../..")],
  targets: [
    .target(name: "Left", dependencies: [container]),
    .target(name: "Right", dependencies: [container]),
    .executableTarget(name: "Host"),
    // Payments and Stock: two modules of one program, neither of which knows of the other, that
    // both say what `Resolver` registers at the start, as two test targets may.
    .target(name: "Payments", dependencies: [container]),
    .target(name: "Stock", dependencies: [container]),
    .executableTarget(name: "Rivals", dependencies: [container, "Payments", "Stock"]),
  ]
)
