import Foundation
import PackagePlugin

// The tool that writes doubles, and what it is told of the package.

extension Doubles {
  static func options(_ graphs: [String: URL]) -> [String] {
    graphs.sorted { $0.key < $1.key }.flatMap { ["--graphs", $0.value.path] }
  }

  /// The compiler, with the modules that were built for the graphs.
  static func compiler(
    for targets: [any Target], graphs: [String: URL], in context: PluginContext
  ) throws -> [String] {
    var folder = graphs.values.first ?? context.pluginWorkDirectoryURL
    while folder.pathComponents.count > 1,
      !FileManager.default.fileExists(atPath: folder.appending(path: "debug/Modules").path)
    {
      folder.deleteLastPathComponent()
    }
    let built = folder.appending(path: "debug")
    let package = context.package.id.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    var arguments = ["-I", built.appending(path: "Modules").path, "-package-name", package]
    arguments += [
      "-module-cache-path", context.pluginWorkDirectoryURL.appending(path: "ModuleCache").path,
    ]
    for target in targets {
      var maps: [URL] = []
      if let clang = target as? ClangSourceModuleTarget {
        if let headers = clang.publicHeadersDirectoryURL {
          arguments += ["-Xcc", "-I", "-Xcc", headers.path]
          maps.append(headers.appending(path: "module.modulemap"))
        }
        maps.append(built.appending(path: "\(target.name).build/module.modulemap"))
      } else if let system = target as? SystemLibraryTarget {
        maps.append(system.directoryURL.appending(path: "module.modulemap"))
        arguments += system.compilerFlags.flatMap { ["-Xcc", $0] }
      }
      if let map = maps.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
        arguments += ["-Xcc", "-fmodule-map-file=\(map.path)"]
      }
    }
    return ["--compiler", try context.tool(named: "swiftc").url.path]
      + arguments.flatMap { ["--compile-with", $0] }
  }

  /// The targets of a package and of all its dependencies, its own first.
  static func targets(reachedFrom package: Package) -> [any Target] {
    var seen: Set<String> = []
    var packages = [package]
    var found: [any Target] = []
    while !packages.isEmpty {
      let next = packages.removeFirst()
      guard seen.insert(next.id).inserted else { continue }
      found += next.targets
      packages += next.dependencies.map(\.package)
    }
    return found
  }

  static func run(
    _ tool: URL, _ arguments: [String], in package: Package
  ) throws -> (String, Int32) {
    let process = Process()
    process.executableURL = tool
    process.currentDirectoryURL = package.directoryURL
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}
