package import Foundation

/// The protocols that a wiring registers or asks for, as a test writes it to a file.
///
/// Each line is a service, below the one that needs it: `  lazy any Mailer  — graph, main`.
package struct Wiring: Equatable {
  /// The protocols as the wiring spells them, such as `Mailer` or `Shelf.Delegate`.
  package private(set) var protocols: Set<String> = []
  /// Services made of several protocols, such as `any Mailer & Sendable`.
  package private(set) var compositions: Set<String> = []

  package init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      guard let end = line.range(of: "  — ") else { continue }
      read(line[..<end.lowerBound])
    }
  }

  /// All wirings of some files.
  package init(files: [URL]) throws {
    self.init("")
    for file in files {
      let wiring = Wiring(String(decoding: try Data(contentsOf: file), as: UTF8.self))
      protocols.formUnion(wiring.protocols)
      compositions.formUnion(wiring.compositions)
    }
  }

  /// The files of a folder that hold wirings, by name.
  package static func files(in folder: URL) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }
  }

  private mutating func read(_ service: Substring) {
    var rest = service.drop { $0 == " " }
    for mark in ["lazy ", "optional "] where rest.hasPrefix(mark) { rest.removeFirst(mark.count) }
    // The property of a typed container: `mailer: any Mailer`.
    let property = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    if rest.dropFirst(property.count).hasPrefix(": ") { rest.removeFirst(property.count + 2) }
    if rest.hasPrefix("(") { rest.removeFirst() }
    guard rest.hasPrefix("any ") else { return }
    rest.removeFirst("any ".count)
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    guard !name.isEmpty else { return }
    // A service's name stands in quotes behind its type.
    let type = rest.prefix { $0 != "\"" && $0 != ")" }
    if type.contains(" & ") {
      compositions.insert("any " + type.trimmingCharacters(in: .whitespaces))
    } else {
      protocols.insert(String(name))
    }
  }
}
