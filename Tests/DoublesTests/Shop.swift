import DoubleGenerator
import Foundation
import Testing

/// A module that is compiled from source for a test, whose protocols are doubled.
final class Shop {
  private let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("shop-\(UUID().uuidString)")
  private var doubles: URL { url.appendingPathComponent("Doubles") }
  deinit { try? FileManager.default.removeItem(at: url) }

  private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(fileURLWithPath: "\($0)/swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  private let access: String

  /// - Parameter access: The least access of what the graph has: `public` for others' modules.
  init(_ source: String, access: String = "internal") throws {
    self.access = access
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try build(source)
  }

  func build(_ source: String) throws {
    try Data(source.utf8).write(to: url.appendingPathComponent("Shop.swift"))
    let compiler: URL = try #require(Self.compiler)
    let process = Process()
    process.executableURL = compiler
    process.currentDirectoryURL = url
    process.arguments = [
      "-emit-module", "-module-name", "Shop", "-parse-as-library", "-enable-testing",
      "-swift-version", "6", "-emit-symbol-graph", "-emit-symbol-graph-dir", url.path,
      "-symbol-graph-minimum-access-level", access, "-package-name", "shop",
      "-Xfrontend", "-include-spi-symbols", "Shop.swift",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private var options: Options {
    var options = Options()
    options.graphs = [url]
    options.module = "Shop"
    options.output = doubles
    options.compiler = Self.compiler
    options.compilerArguments = ["-I", url.path, "-package-name", "shop"]
    return options
  }

  /// The lines of a run.
  @discardableResult
  func run(_ change: (inout Options) -> Void = { _ in }) throws -> [String] {
    var options = options
    change(&options)
    return try Generator(options: options).run().lines
  }

  /// The lines of a run that sees another graph than the compiler's.
  func run(seeing graph: Graph) throws -> [String] {
    try Generator(
      options: options, symbols: Symbols([graph.graph]), compiler: try compiler()
    ).run().lines
  }

  private func compiler() throws -> Compiler {
    Compiler(executable: try #require(Self.compiler), arguments: ["-I", url.path], toolkit: [])
  }

  /// A compiler that fails at a file by a command of the shell, once its types are right; it notes
  /// such runs.
  func compiler(failingAt file: String, by command: String) throws -> URL {
    let script = url.appendingPathComponent("compiler")
    let real: URL = try #require(Self.compiler)
    try Data(
      """
      #!/bin/sh
      case "$*" in *-emit-sil*) echo run >>"\(url.path)/runs"
        case "$*" in *\(file)*) \(command) ;; esac ;;
      esac
      exec "\(real.path)" "$@"
      """.utf8
    ).write(to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    return script
  }

  func compilerRuns() throws -> Int {
    try String(contentsOf: url.appendingPathComponent("runs"), encoding: .utf8)
      .split(separator: "\n").count
  }

  /// What the compiler says of a double, races of data included.
  func compileInFull(_ name: String) throws -> [String] {
    try compiler().check(["\(name).swift": text(name)], inFull: true).map(\.text)
  }

  /// What the compiler says of a double, with the lines of its file.
  func compile(_ name: String) throws -> [String] {
    try compiler().check(["\(name).swift": text(name)]).map {
      "\($0.file):\($0.line): \($0.kind): \($0.text)"
    }
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: doubles.appendingPathComponent("\(name).swift"), encoding: .utf8)
  }

  /// The lines of a double that begin with some words.
  func lines(of name: String, _ words: String...) throws -> [String] {
    try text(name).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { line in words.contains { line.hasPrefix($0) } }
  }
}
