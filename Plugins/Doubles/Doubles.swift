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
    // What is typed wrong is said before anything is built, and once.
    let tool = try context.tool(named: "DoublesTool").url
    let (mistake, status) = try Self.run(tool, ["--typed"] + arguments, in: context.package)
    guard status == 0 else {
      print(mistake, terminator: "")
      exit(status)
    }
    let isTargetTyped = arguments.contains { $0 == "--target" || $0.hasPrefix("--target=") }
    let lines = isTargetTyped ? [] : Self.lines(ofFileIn: context.package)
    let statuses =
      lines.isEmpty
      ? [try perform(arguments, in: context)]
      : try lines.map { try perform($0, typed: arguments, in: context) }
    if let status = statuses.first(where: { $0 != 0 }) { exit(status) }
  }

  /// Each line of the package's file is a run.
  private static func lines(ofFileIn package: Package) -> [String] {
    let file = package.directoryURL.appending(path: optionsFile)
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// Runs the tool for a line, with what is typed behind it; where the line is wrong, says so.
  private func perform(_ line: String, typed: [String], in context: PluginContext) throws -> Int32 {
    let tool = try context.tool(named: "DoublesTool").url
    let words = line.split(separator: " ").map(String.init) + typed
    var (mistake, status) = try Self.run(tool, ["--typed"] + words, in: context.package)
    if status == 0 {
      do { return try perform(words, in: context, typed: typed) } catch {
        (mistake, status) = ("error: \(error)\n", 1)
      }
    }
    print("In the line `\(line)` of \(Self.optionsFile):")
    print(mistake, terminator: "")
    return status
  }

  /// Runs the tool for one target; `typed` is what was typed, if the rest is of the package's file.
  private func perform(
    _ all: [String], in context: PluginContext, typed: [String]? = nil
  ) throws -> Int32 {
    var arguments = ArgumentExtractor(all)
    let targets = arguments.extractOption(named: "target")
    let output = arguments.extractOption(named: "output").last
    let wirings = arguments.extractOption(named: "wiring")
    let own = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { $0.kind != .test }
    let inAll = "The package has: \(own.map(\.name).sorted().joined(separator: ", "))."
    // A package with one target needs not name it.
    guard let name = targets.last ?? (own.count == 1 ? own[0].name : nil), targets.count < 2 else {
      throw Mistake(
        "Name the target whose protocols are doubled with --target, one at a time. \(inAll)")
    }
    let reached = Self.targets(reachedFrom: context.package)
    let modules = reached.compactMap { $0 as? SwiftSourceModuleTarget }
    guard let target = modules.first(where: { $0.name == name || $0.moduleName == name })
    else { throw Mistake("There is no target \(name). \(inAll)") }

    let again =
      typed
      ?? ["--target", name] + (output.map { ["--output", $0] } ?? [])
      + arguments.remainingArguments + wirings.flatMap { ["--wiring", $0] }
    let command = ([Self.command] + again.filter { $0 != "--check" }).joined(separator: " ")
    var passed = arguments.remainingArguments
    for wiring in wirings { passed += ["--wiring", Self.absolute(wiring, in: context.package)] }
    let folder = try output ?? Self.defaultOutput(for: target, in: context.package)
    passed += [
      "--module", target.moduleName, "--output", Self.absolute(folder, in: context.package),
      "--command", command,
    ]
    for user in context.package.targets { passed += ["--used-in", user.directoryURL.path] }

    // Inherited protocols and the types that requirements mention may be other modules'.
    let tool = try context.tool(named: "DoublesTool").url
    var graphs: [String: URL] = [:]
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
          ).directoryURL
        } catch {
          throw Mistake(
            "\(module.name) does not build, so its protocols are not known: \(error)")
        }
      }
      let (needed, status) = try Self.run(
        tool, passed + Self.options(graphs) + ["--modules-needed"], in: context.package)
      guard status == 0 else { break }
      wanted = needed.split(separator: "\n").compactMap { name in
        graphs[String(name)] == nil ? modules.first { $0.moduleName == name } : nil
      }
    }
    let toolkit = modules.filter { ["DITesting", "DIContainer"].contains($0.name) }
      .flatMap { ["--toolkit", $0.directoryURL.path] }
    let compiler = try Self.compiler(for: reached, graphs: graphs, in: context)
    let (text, status) = try Self.run(
      tool, passed + Self.options(graphs) + toolkit + compiler, in: context.package)
    print("Doubles of \(target.name), in \(Self.relative(folder, in: context.package)):")
    print(text, terminator: "")
    if let note = Self.note(on: folder, for: target, in: context.package) { print(note) }
    return status
  }

  /// The note on an output in the folder of no target; in a package of its own, inside this one,
  /// there may be any.
  private static func note(
    on folder: String, for target: SwiftSourceModuleTarget, in package: Package
  ) -> String? {
    func path(_ url: URL) -> String { url.standardizedFileURL.path + "/" }
    let output = path(URL(filePath: absolute(folder, in: package)))
    guard !package.targets.contains(where: { output.hasPrefix(path($0.directoryURL)) }) else {
      return nil
    }
    let parts = relative(folder, in: package).split(separator: "/")
    let isNested = parts.indices.contains { last in
      let manifest = parts[...last].joined(separator: "/") + "/Package.swift"
      return FileManager.default.fileExists(atPath: absolute(manifest, in: package))
    }
    if isNested { return nil }
    let example = (try? defaultOutput(for: target, in: package)).map { ", such as \($0)" }
    return "note: \(relative(folder, in: package)) is in the folder of no target, so that nothing "
      + "compiles the doubles. Name another folder with --output\(example ?? ""), or declare a "
      + "target with this one."
  }

  private static func options(_ graphs: [String: URL]) -> [String] {
    graphs.sorted { $0.key < $1.key }.flatMap { ["--graphs", $0.value.path] }
  }

  /// The compiler, with the modules that were built for the graphs.
  private static func compiler(
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

  private static let optionsFile = ".doubles"
  private static let command = "swift package --allow-writing-to-package-directory doubles"

  private static let help = """
    Writes doubles for the protocols of a target, one file each.

    \(command) --target Shop

    Without --target, each line of the file `\(optionsFile)` in the package's folder is a run:
    `--target Shop --registered`. What is typed is added to each. --check needs no permission.

      --target NAME      the target whose protocols are doubled; one of a dependency too
                         (default: the package's only one)
      --protocol NAME    this protocol only; can be given again (default: all)
      --registered       the protocols that the files in `Wirings` beside the output name, which
                         a test writes
      --wiring FILE      the protocols that this file names; can be given again
      --output FOLDER    where to write (default: `Doubles` in the target's tests,
                         or in the only tests that there are)
      --access LEVEL     internal (default) or public
      --defaults         doubles requirements that have default implementations too
      --check            writes nothing, and fails if a file is stale
      --force            overwrites files that were edited by hand
    """

  /// The folder that has the target's doubles already; else the folder `Doubles` of its tests, or
  /// of the only tests that there are.
  private static func defaultOutput(
    for target: SwiftSourceModuleTarget, in package: Package
  ) throws -> String {
    let existing = Set(
      package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.flatMap(\.sourceFiles)
        .map(\.url).filter { isDouble($0, of: target.moduleName) }
        .map { relative($0.deletingLastPathComponent().path, in: package) })
    if existing.count > 1 {
      throw Mistake(
        "Name the folder to write to with --output: \(target.name) has doubles in "
          + "\(existing.sorted().joined(separator: ", ")).")
    }
    if let folder = existing.first { return folder }
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

  /// Whether a file is the generated double of a protocol of a module.
  private static func isDouble(_ file: URL, of module: String) -> Bool {
    guard file.lastPathComponent.hasSuffix("Double.swift"),
      let text = try? String(contentsOf: file, encoding: .utf8),
      let line = text.split(separator: "\n").first
    else { return false }
    return line.hasPrefix("// Generated by `swift package doubles` from the protocol ")
      && line.hasSuffix("` of \(module).")
  }

  private static func relative(_ path: String, in package: Package) -> String {
    let prefix = package.directoryURL.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private static func absolute(_ path: String, in package: Package) -> String {
    path.hasPrefix("/") ? path : package.directoryURL.appending(path: path).path
  }

  /// The targets of a package and of all its dependencies, its own first.
  private static func targets(reachedFrom package: Package) -> [any Target] {
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

  private static func run(
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

private struct Mistake: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
