package import Foundation

/// The Swift sources of some folders, without those that the generator wrote.
package struct Sources {
  private let texts: [String]

  package init(_ folders: [URL]) throws {
    texts = try folders.flatMap { folder in
      let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return (found?.allObjects ?? []).compactMap { $0 as? URL }
        .filter { $0.pathExtension == "swift" }
    }.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
      .filter { GeneratedFile.read($0) == .foreign }
  }

  /// All words, and those of lines with a property that declares a service or asks for one, as in
  /// `var mailer: Factory<any Mailer>`.
  var uses: (words: Set<String>, ofProperties: Set<String>) {
    var uses: (words: Set<String>, ofProperties: Set<String>) = ([], [])
    for text in texts {
      uses.words.formUnion(Self.words(of: text[...]))
      for line in text.split(separator: "\n")
      where line.contains("Factory<") || line.contains("Injected") {
        uses.ofProperties.formUnion(Self.words(of: line))
      }
    }
    return uses
  }

  private static func words(of text: Substring) -> [String] {
    text.split { !$0.isWordCharacter }.map(String.init)
  }

  /// The names of the public types that no other type encloses.
  package var declaredTypes: Set<String> {
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
