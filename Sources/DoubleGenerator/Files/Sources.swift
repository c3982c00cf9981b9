package import Foundation

/// The Swift sources of some folders.
struct Sources {
  private let texts: [String]

  /// Those of some folders, without a folder in them.
  init(_ folders: [URL], except excluded: URL? = nil) throws {
    let left = excluded.map { $0.standardizedFileURL.path + "/" }
    texts = try folders.flatMap { folder in
      let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return (found?.allObjects ?? [])
        .compactMap { $0 as? URL }
        .filter { file in
          file.pathExtension == "swift"
            && !(left.map { file.standardizedFileURL.path.hasPrefix($0) } ?? false)
        }
    }.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
  }

  /// All words.
  var words: Set<String> {
    texts.reduce(into: []) { words, text in
      words.formUnion(text.split { !$0.isWordCharacter }.map(String.init))
    }
  }

  /// The names of the public types that no other type encloses.
  var declaredTypes: Set<String> {
    let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    return texts.reduce(into: []) { names, text in
      for line in text.split(separator: "\n") where !line.hasPrefix(" ") {
        let words = line.split { !$0.isWordCharacter && $0 != "@" }
        guard words.contains("public"), let kind = words.firstIndex(where: kinds.contains),
          kind + 1 < words.count
        else { continue }
        names.insert(String(words[kind + 1]))
      }
    }
  }
}

/// The API that doubles are written with.
package enum Toolkit {
  /// The names of its types, which every file of a double sees.
  package static func types(in folders: [URL]) throws -> Set<String> {
    try Sources(folders).declaredTypes
  }
}
