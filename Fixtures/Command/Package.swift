// swift-tools-version: 6.2
import PackageDescription

// A package that is depended on by path is known by the name of its folder, and a clone may have
// any name.
let identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last!)

let package = Package(
  name: "Command",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(path: "../..")],
  targets: [
    .target(name: "Shop"),
    .target(name: "Billing"),
    .target(
      name: "ShopSupport", dependencies: ["Shop", .product(name: "DITesting", package: identity)]),
    .testTarget(name: "ShopTests", dependencies: ["Shop", "ShopSupport"]),
    .testTarget(
      name: "BillingTests",
      dependencies: ["Billing", .product(name: "DITesting", package: identity)]),
  ]
)
