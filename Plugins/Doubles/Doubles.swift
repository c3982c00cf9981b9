import Foundation
import PackagePlugin

/// Writes doubles for the protocols of a target into a folder of its test target.
@main
struct Doubles: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    if arguments.contains("--help") || arguments.contains("-h") {
      print(Self.help)
      return
    }
    try Self.checkValues(arguments)
    var arguments = ArgumentExtractor(arguments)
    let targets = arguments.extractOption(named: "target")
    let output = arguments.extractOption(named: "output").last
    let wirings = arguments.extractOption(named: "wiring")
    let own = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { $0.kind != .test }
    // A package with one target needs not name it.
    guard let name = targets.last ?? (own.count == 1 ? own[0].name : nil), targets.count < 2 else {
      throw Mistake(
        "Name the target whose protocols are doubled with --target, one at a time. "
          + "The package has: \(own.map(\.name).joined(separator: ", ")).")
    }
    let all = Self.targets(reachedFrom: context.package)
    guard let target = all.first(where: { $0.name == name || $0.moduleName == name })
    else {
      throw Mistake(
        "There is no target \(name). The package has: \(own.map(\.name).joined(separator: ", ")).")
    }

    var passed = arguments.remainingArguments
    for wiring in wirings { passed += ["--wiring", Self.absolute(wiring, in: context.package)] }
    let folder = try output ?? Self.defaultOutput(for: target, in: context.package)
    passed += [
      "--module", target.moduleName, "--output", Self.absolute(folder, in: context.package),
    ]
    passed += [
      "--command", Self.command(
        name, output: output, wirings: wirings, rest: arguments.remainingArguments),
    ]

    // Inherited protocols and the types that requirements mention may be other modules'.
    let tool = try context.tool(named: "DoublesTool").url
    var graphs: [String: String] = [:]
    var wanted = [target]
    while !wanted.isEmpty {
      for module in wanted {
        let isOwn = own.contains { $0.id == module.id }
        do {
          graphs[module.moduleName] = try packageManager.getSymbolGraph(
            for: module,
            options: .init(
              minimumAccessLevel: isOwn ? .internal : .public, includeSynthesized: false,
              includeSPI: true)
          ).directoryURL.path
        } catch {
          throw Mistake(
            "\(module.name) does not build, so its protocols are not known: \(error)")
        }
      }
      let folders = graphs.sorted { $0.key < $1.key }.flatMap { ["--graphs", $0.value] }
      let (needed, status) = try Self.run(tool, passed + folders + ["--modules-needed"])
      guard status == 0 else { break }
      wanted = needed.split(separator: "\n").compactMap { name in
        graphs[String(name)] == nil ? all.first { $0.moduleName == name } : nil
      }
    }
    let folders = graphs.sorted { $0.key < $1.key }.flatMap { ["--graphs", $0.value] }
    let (text, status) = try Self.run(tool, passed + folders)
    print("Doubles of \(target.name), in \(Self.relative(folder, in: context.package)):")
    print(text, terminator: "")
    if status != 0 { exit(status) }
  }

  private static let help = """
    Writes doubles for the protocols of a target, one file each.

    swift package --allow-writing-to-package-directory doubles --target Shop

      --target NAME      the target whose protocols are doubled; one of a dependency too
                         (default: the package's only one)
      --protocol NAME    this protocol only; can be given again (default: all)
      --registered       the protocols that the files in `Wirings` beside the output name, which
                         `expectWiring` writes
      --wiring FILE      the protocols that this file names; can be given again
      --output FOLDER    where to write (default: `Doubles` in the target's tests,
                         or in the only tests that there are)
      --access LEVEL     internal (default) or public
      --defaults         doubles requirements that have default implementations too
      --check            writes nothing, and fails if a file is stale
      --force            overwrites files that were edited by hand
    """

  /// Checks that the options that the plugin itself takes have values; the tool checks the others.
  private static func checkValues(_ arguments: [String]) throws {
    for option in ["--target", "--output", "--wiring"] {
      for (index, argument) in arguments.enumerated() {
        let isLast = index + 1 == arguments.count
        if argument == "\(option)="
          || argument == option && (isLast || arguments[index + 1].hasPrefix("--"))
        {
          throw Mistake("\(option) needs a value.")
        }
      }
    }
  }

  private static func command(_ target: String, output: String?, wirings: [String], rest: [String])
    -> String
  {
    let words = ["swift package --allow-writing-to-package-directory doubles --target", target]
    let kept = rest.filter { $0 != "--check" } + wirings.flatMap { ["--wiring", $0] }
    return (words + (output.map { ["--output", $0] } ?? []) + kept).joined(separator: " ")
  }

  /// The folder `Doubles` of the target's tests, or of the only tests that there are.
  private static func defaultOutput(for target: any Target, in package: Package) throws -> String {
    let tests = package.targets.filter { ($0 as? SwiftSourceModuleTarget)?.kind == .test }
    let own = tests.first { $0.name == "\(target.name)Tests" }
    guard let found = own ?? (tests.count == 1 ? tests[0] : nil) else {
      let folders = tests.map { relative($0.directoryURL.path, in: package) + "/Doubles" }
      throw Mistake(
        "Name the folder to write to with --output: there is no target \(target.name)Tests."
          + (folders.isEmpty ? "" : " It could be: \(folders.joined(separator: ", ")).")
          )
    }
    return relative(found.directoryURL.path, in: package) + "/Doubles"
  }

  private static func relative(_ path: String, in package: Package) -> String {
    let prefix = package.directoryURL.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private static func absolute(_ path: String, in package: Package) -> String {
    path.hasPrefix("/") ? path : package.directoryURL.appending(path: path).path
  }

  /// The targets of a package and of all its dependencies, its own first.
  private static func targets(reachedFrom package: Package) -> [SwiftSourceModuleTarget] {
    var seen: Set<String> = []
    var packages = [package]
    var found: [SwiftSourceModuleTarget] = []
    while !packages.isEmpty {
      let next = packages.removeFirst()
      guard seen.insert(next.id).inserted else { continue }
      found += next.targets.compactMap { $0 as? SwiftSourceModuleTarget }
      packages += next.dependencies.map(\.package)
    }
    return found
  }

  private static func run(_ tool: URL, _ arguments: [String]) throws -> (String, Int32) {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}

private struct Mistake: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
