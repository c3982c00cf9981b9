import DoubleGenerator
import Testing

// The doubles of protocols that tests spell out.

extension Graph {
  /// The double of a protocol.
  func source(
    of name: String, isPublic: Bool = false, defaults: Bool = false, refusing: Set<String> = []
  ) throws -> DoubleWriter.Source {
    let symbols = Symbols([try graph])
    let symbol = try #require(symbols.protocols(of: module).first { $0.pathComponents == [name] })
    let model = try ProtocolReader(
      symbols: symbols, includesDefaults: defaults, isPublic: isPublic
    ).model(of: symbol)
    return DoubleWriter(
      symbols: symbols, isPublic: isPublic, answers: Answers(refused: refusing)
    ).source(of: model)
  }

  /// The members of a double, without their stubs.
  func members(of name: String) throws -> [String] {
    try source(of: name).text.split(separator: "\n")
      .filter { $0.hasPrefix("  func ") || $0.hasPrefix("  var ") }.map(String.init)
  }
}
