/// The imports of a file of its own, the same on every system.
struct Imports {
  private let modules: Set<String>
  private let isPublic: Bool
  private let testable: String?
  private let scoped: [String]
  private let symbols: Symbols

  /// Those of some modules; `scoped` are types that are imported alone, as in `struct Shop.Item`.
  init(
    _ modules: Set<String>, model: ProtocolModel, symbols: Symbols, isPublic: Bool,
    scoped: [String] = []
  ) {
    (self.modules, self.symbols, self.isPublic) = (modules, symbols, isPublic)
    self.scoped = scoped
    testable = model.needsTestable(symbols) ? model.home : nil
  }

  var lines: [String] {
    let access = isPublic ? "public " : ""
    return modules.sorted().flatMap { module in
      if module == testable { return ["@testable import \(module)"] }
      let line = "\(access)import \(module)"
      // A system's own module is not there on another one.
      return symbols.modules.contains(module) || ModuleName.isEverywhere(module)
        ? [line] : ["#if canImport(\(module))", "  \(line)", "#endif"]
    } + scoped.map { "\(access)import \($0)" }
  }
}
