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

  static let optionsFile = ".doubles"
  static let command = "swift package --allow-writing-to-package-directory doubles"
}

struct Mistake: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
