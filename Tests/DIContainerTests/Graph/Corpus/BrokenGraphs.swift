/// Small wirings with a fault or two in them.
let brokenGraphs: [GraphCase] =
  Wired.missing + Wired.cycles + Wired.lifetimes + Wired.promises + Wired.doubles
  + Wired.dryRuns

// Parts of reports that several have.
extension Wired {
  static let breakTheCycle = """
       To fix this:
         - Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
         - Or set it once both exist: `.resolveProperties { r, service in … }`, in a scope that shares.
    """

  static let keepItApart = """
       To fix this:
         - Keep it in its own container: `.scope(.perContainer(.strong))`; it is built from there.
         - Or keep one for each requesting container: `.scope(.container)`.
    """

  static func registerIt(_ service: String) -> String {
    """
       To fix this:
         - Register it: `register { … as \(service) }`.
         - If it is optional, resolve it with `optional`, or declare the dependency as `\(service)?`.
    """
  }

  static func unseen(_ services: String) -> String {
    """
    Not seen, since validating runs no factory: what the closures of \(services) resolve.
    Check that too with `validate(dryRun: true)`, or register initialisers.
    """
  }
}
