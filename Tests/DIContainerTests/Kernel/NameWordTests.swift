import Testing

@testable import DIContainer

// The word that stands for a name in the table: equal names have to have equal words.

@Suite("The word of a name")
struct NameWordTests {
  @Test("is the same for every scalar that equals an ASCII character")
  func singletons() {
    let ascii = Set((0..<128).map { Character(Unicode.Scalar($0)) })
    var found: [Unicode.Scalar] = []
    for value in UInt32(128)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), ascii.contains(Character(scalar)) else { continue }
      found.append(scalar)
      let twin = ascii.first { $0 == Character(scalar) }!
      let (name, plain) = (Resolver.Name("a\(scalar)b"), Resolver.Name("a\(twin)b"))
      #expect(name == plain)
      #expect(name.word == plain.word)
    }
    #expect(found == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
  }

  @Test(
    "is the same for equal names of any length",
    arguments: ["", "a", "12345678", "a long name, in heap memory", "caf\u{E9}", "\u{212A}"])
  func forms(text: String) {
    for other in [String(text.reversed().reversed()), text.decomposed, text + ""] {
      #expect(other == text)
      #expect(Resolver.Name(other).word == Resolver.Name(text).word)
    }
    #expect(Resolver.Name(text).word != 0)
  }

  @Test("differs for all of a thousand names that differ in one place")
  func differs() {
    let names = (0..<1_000).map { "service \($0)" } + ["", "s", "service", "service  "]
    #expect(Set(names.map { Resolver.Name($0).word }).count == names.count)
  }
}

extension String {
  /// The text with every accent as a scalar of its own, as far as the cases here have any.
  fileprivate var decomposed: String {
    var text = ""
    for scalar in unicodeScalars {
      text.unicodeScalars.append(contentsOf: scalar == "\u{E9}" ? ["e", "\u{301}"] : [scalar])
    }
    return text
  }
}
