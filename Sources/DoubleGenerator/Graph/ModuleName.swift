/// The module that a precise identifier names.
enum ModuleName {
  /// The module of a type; of one of C or Objective-C, Foundation, which brings the system's
  /// headers.
  static func of(_ id: String) -> String? {
    guard id.hasPrefix("s:") else { return id.hasPrefix("c:") ? "Foundation" : nil }
    let mangled = id.dropFirst(2)
    if let first = mangled.first, first.isNumber, let name = leadingName(mangled) { return name }
    return extending(id).first ?? (mangled.hasPrefix("Sc") ? "_Concurrency" : "Swift")
  }

  /// The modules with the extensions that a type stands in: `Shop` of `s:10Foundation3URLV4ShopE`.
  static func extending(_ id: String) -> [String] {
    guard id.hasPrefix("s:") else { return [] }
    var found: [String] = []
    var rest = id.dropFirst(2)
    while let digit = rest.firstIndex(where: \.isNumber) {
      rest = rest[digit...]
      guard let name = leadingName(rest) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(String(name.count).count + name.count)
      if rest.first == "E" { found.append(name) }
    }
    return found
  }

  private static func leadingName(_ mangled: Substring) -> String? {
    let digits = mangled.prefix(while: \.isNumber)
    guard let count = Int(digits), count > 0 else { return nil }
    let name = mangled.dropFirst(digits.count).prefix(count)
    return name.count == count ? String(name) : nil
  }

  /// The name under which a module is imported; nil if the standard library brings it.
  static func imported(_ module: String) -> String? {
    switch module {
    case "Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport": nil
    case "FoundationEssentials", "FoundationInternationalization", "CoreFoundation", "ObjectiveC",
      "CoreGraphics", "Darwin", "Glibc", "Musl", "Android", "WinSDK", "CRT":
      "Foundation"
    default: module.hasPrefix("_") ? nil : module
    }
  }

  /// Whether every system with a toolchain has a module.
  static func isEverywhere(_ module: String) -> Bool {
    ["DITesting", "Foundation", "Dispatch", "Observation", "Synchronization", "Distributed"]
      .contains(module)
  }

  /// Whether a type of Foundation is in a module of its own on some systems, as its name tells.
  static func isOfNetworking(_ name: String) -> Bool {
    [
      "CachedURL", "HTTPCookie", "HTTPURL", "URLAuthentication", "URLCache", "URLCredential",
      "URLProtection", "URLProtocol", "URLRequest", "URLResponse", "URLSession",
    ].contains {
      name.hasPrefix($0) || name.hasPrefix("NS\($0)") || name.hasPrefix("NSMutable\($0)")
    }
  }
}
