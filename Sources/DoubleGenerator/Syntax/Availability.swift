/// Availability attributes as a double repeats them.
enum Availability {
  static func attributes(of symbol: SymbolGraph.Symbol) -> [String] {
    let platforms = (symbol.availability ?? []).compactMap { item -> String? in
      guard let domain = item.domain, domain != "*", domain != "swift",
        let version = item.introduced
      else { return nil }
      let parts = [version.major, version.minor ?? 0, version.patch ?? 0]
      let count = parts[2] != 0 ? 3 : parts[1] != 0 ? 2 : 1
      return "\(domain) \(parts[..<count].map(String.init).joined(separator: "."))"
    }
    return platforms.isEmpty
      ? [] : ["@available(\((platforms.sorted() + ["*"]).joined(separator: ", ")))"]
  }
  static func isDeprecated(_ symbol: SymbolGraph.Symbol) -> Bool {
    (symbol.availability ?? []).contains {
      $0.isUnconditionallyDeprecated == true || ($0.domain == "*" && $0.deprecated != nil)
    }
  }
}
