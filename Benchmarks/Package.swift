// swift-tools-version: 6.1
import PackageDescription

// With RATIOS_ONLY set, what needs a package from elsewhere is left out: CI does without a network.
let isAlone = Context.environment["RATIOS_ONLY"] != nil

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // By name: the identity of a package that is given by its path alone is its folder's name, and
    // a checkout's folder may have any.
    .package(name: "DIContainer", path: "..")
  ],
  targets: [
    // What users do, each with the floor that it is measured against.
    .target(
      name: "Workloads",
      dependencies: [
        .product(name: "DIContainer", package: "DIContainer"),
        .product(name: "DITesting", package: "DIContainer"),
      ]),
    // Compares each with its floor, in one process: the table, the check of CI, the plot.
    .executableTarget(
      name: "ratios",
      dependencies: ["Workloads", .product(name: "DIContainer", package: "DIContainer")]),
    // The least that an app on DIContainer is, the same without, and with Foundation: startup.sh.
    .executableTarget(
      name: "app", dependencies: [.product(name: "DIContainer", package: "DIContainer")]),
    .executableTarget(name: "bare"),
    .executableTarget(name: "withFoundation"),
  ]
)

if !isAlone {
  package.dependencies.append(
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
  // Every workload under ordo-one/benchmark: `swift package benchmark`.
  package.targets.append(
    .executableTarget(
      name: "UserActions",
      dependencies: ["Workloads", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/UserActions",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]))
}
