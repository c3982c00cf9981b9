package import Foundation

/// The folder of a test target that holds generated doubles, and what a run does to it.
package struct Folder {
  /// Something that differs from what a run would write.
  package struct Difference: Equatable {
    package enum Kind: Equatable {
      /// There is no such file.
      case missing
      /// Its source has changed, or the generator has.
      case stale
      /// The file was edited by hand.
      case edited
      /// The file was not generated.
      case foreign
      /// The file was generated from something else, as from another module's protocol.
      case taken(by: String)
      /// Its source is gone.
      case orphaned
      /// The wiring does not name what it was generated from.
      case unregistered
    }
    package var file: String
    package var kind: Kind
    package var origin: String

    /// Whether only a run that is forced writes or removes the file.
    var needsForce: Bool {
      switch kind {
      case .missing, .stale, .orphaned, .unregistered: false
      case .edited, .foreign, .taken: true
      }
    }

    package var description: String {
      switch kind {
      case .missing where file == GeneratedFile.list:
        "\(file) is missing: \(origin) have no list."
      case .missing: "\(file) is missing: \(origin) has no double."
      case .stale: "\(file) is stale: a run would write it differently now, from \(origin)."
      case .edited:
        "\(file) was edited by hand: move the edit to a file of its own, or use --force to "
          + "overwrite it."
      case .foreign:
        "\(file) was not generated: rename it, or use --force to overwrite it."
      case .taken(let other):
        "\(file) is the double of \(other), so \(origin) has none: name another folder with "
          + "--output, or use --force to overwrite it."
      case .orphaned: "\(file) is stale: \(origin) is gone, or can no longer be doubled."
      case .unregistered: "\(file) is stale: \(origin) is not in the wiring."
      }
    }
  }

  package let url: URL

  package init(_ url: URL) { self.url = url }

  /// The generated files that are there, by name.
  package func generated() throws -> [(name: String, origin: String, source: String)] {
    try contents().compactMap { name, text in
      guard case .generated(let origin, let source, _) = GeneratedFile.read(text) else {
        return nil
      }
      return (name, origin, source)
    }
  }

  /// Returns what a run with these files would change; `orphans` are files that are to go.
  package func differences(from files: [GeneratedFile], orphans: [String: Difference.Kind]) throws
    -> [Difference]
  {
    let found = Dictionary(uniqueKeysWithValues: try contents())
    var differences = files.compactMap { file -> Difference? in
      guard let text = found[file.name] else {
        return Difference(file: file.name, kind: .missing, origin: file.origin)
      }
      guard text != file.text else { return nil }
      let kind: Difference.Kind =
        switch GeneratedFile.read(text) {
        case .foreign: .foreign
        case .generated(let other, _, _) where other != file.origin: .taken(by: other)
        case .generated(_, _, let isEdited): isEdited ? .edited : .stale
        }
      return Difference(file: file.name, kind: kind, origin: file.origin)
    }
    for (name, kind) in orphans {
      guard let text = found[name],
        case .generated(let origin, _, let isEdited) = GeneratedFile.read(text)
      else { continue }
      differences.append(
        Difference(file: name, kind: isEdited ? .edited : kind, origin: origin))
    }
    return differences.sorted { $0.file < $1.file }
  }

  /// Writes what differs; returns what was changed, and what was left alone.
  package func write(_ files: [GeneratedFile], orphans: [String: Difference.Kind], isForced: Bool)
    throws
    -> (changed: [Difference], refused: [Difference])
  {
    var (changed, refused): ([Difference], [Difference]) = ([], [])
    let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    let differences = try differences(from: files, orphans: orphans)
    if !differences.isEmpty {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    for difference in differences {
      guard isForced || !difference.needsForce else {
        refused.append(difference)
        continue
      }
      let file = url.appendingPathComponent(difference.file)
      if let text = texts[difference.file] {
        try Data(text.utf8).write(to: file)
      } else {
        try FileManager.default.removeItem(at: file)
      }
      changed.append(difference)
    }
    return (changed, refused)
  }

  private func contents() throws -> [(String, String)] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { name in
        (
          name,
          String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
        )
      }
  }
}
