// swift-tools-version: 6.2
import PackageDescription

// A package that is depended on by path is known by the name of its folder, and a clone may have
// any name.
let identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last!)

let package = Package(
  name: "Escapes",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .testTarget(
      name: "EscapeTests",
      dependencies: [
        .product(name: "DITesting", package: identity),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ])
  ]
)
