package import Foundation

/// The Swift compiler, which type-checks texts in a folder of their own.
package struct Compiler {
  /// Something that it says about a line.
  package struct Diagnostic: Equatable {
    package var file: String
    package var line: Int
    package var kind: String
    package var text: String
  }

  /// What it is run with: its path, and the arguments that find the modules.
  package var executable: URL
  package var arguments: [String]
  /// Public types of `DITesting`, which is not built for this.
  let toolkit: Set<String>

  package init(executable: URL, arguments: [String], toolkit: Set<String>) {
    (self.executable, self.arguments, self.toolkit) = (executable, arguments, toolkit)
  }

  /// Type-checks some files, by name, in one module.
  ///
  /// `inFull`: looks for races of data, too, unless a type is wrong.
  package func check(
    _ files: [String: String], inFull: Bool = false
  ) throws -> [Diagnostic] {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent("doubles-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: folder) }
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, to name: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    let testing = try write(StandIn.source(declaring: toolkit), to: "DITesting.swift")
    let (failed, _) = try run([
      "-emit-module", "-module-name", "DITesting", "-parse-as-library", testing,
      "-o", folder.appendingPathComponent("DITesting.swiftmodule").path,
    ])
    guard failed.isEmpty else { throw Failure(description: failed) }
    let paths = try files.sorted { $0.key < $1.key }.map { try write($0.value, to: $0.key) }
    let (text, isCrash) = try run(
      (inFull ? ["-emit-sil", "-o", folder.appendingPathComponent("sil").path] : ["-typecheck"])
        + ["-wmo", "-module-name", "CheckedDoubles", "-parse-as-library"]
        + ["-I", folder.path] + arguments + paths)
    let lines = text.split(separator: "\n")
    let found = lines.compactMap(Self.diagnostic)
    if isCrash {
      return [Diagnostic(file: "", line: 0, kind: "error", text: "the compiler crashes")]
    }
    guard !inFull else { return found + lines.compactMap(Self.errorWithoutPlace) }
    // Without a place, it is about a module or an option, and nothing was checked.
    guard text.isEmpty || !found.isEmpty else { throw Failure(description: text) }
    return found
  }

  /// Reads `<unknown>:0: error: text`, which races of closures are reported with.
  private static func errorWithoutPlace(_ line: Substring) -> Diagnostic? {
    let start = "<unknown>:0: error: "
    guard line.hasPrefix(start) else { return nil }
    return Diagnostic(file: "", line: 0, kind: "error", text: String(line.dropFirst(start.count)))
  }

  /// Reads `/folder/File.swift:12:3: error: text`.
  private static func diagnostic(_ line: Substring) -> Diagnostic? {
    let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, let number = Int(parts[1]), Int(parts[2]) != nil else { return nil }
    return Diagnostic(
      file: String(parts[0].split(separator: "/").last ?? ""), line: number,
      kind: parts[3].trimmingCharacters(in: .whitespaces),
      text: parts[4].trimmingCharacters(in: .whitespaces))
  }

  private func run(_ arguments: [String]) throws -> (text: String, isCrash: Bool) {
    let process = Process()
    process.executableURL = executable
    process.arguments = ["-swift-version", "6", "-diagnostic-style=llvm"] + arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isCrash = process.terminationReason == .uncaughtSignal
    return (String(decoding: data, as: UTF8.self), isCrash)
  }

  /// A run in which nothing was checked.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }
}
