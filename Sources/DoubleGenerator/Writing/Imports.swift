/// The imports of a file of its own, the same on every system.
enum Imports {
  /// Those of some modules; `scoped` are types that are imported alone, as in `struct Shop.Item`.
  static func lines(
    of modules: Set<String>, model: ProtocolModel, symbols: Symbols, isPublic: Bool,
    scoped: [String] = []
  ) -> [String] {
    let access = isPublic ? "public " : ""
    let testable = model.needsTestable(symbols) ? model.home : nil
    return modules.sorted().flatMap { module in
      if module == testable { return ["@testable import \(module)"] }
      let line = "\(access)import \(module)"
      // A system's own module is not there on another one.
      return symbols.modules.contains(module) || ModuleName.isEverywhere(module)
        ? [line] : ["#if canImport(\(module))", "  \(line)", "#endif"]
    } + scoped.map { "\(access)import \($0)" }
  }
}
