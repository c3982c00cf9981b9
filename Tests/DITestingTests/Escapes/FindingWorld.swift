@testable import DITesting

// What tests of findings share: a shop, a container of its own, and a sandbox whose findings they
// get.

let findingShop = Resolver { r in
  r.register { LivePayments() as any Payments }
  r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  r.register { Basket() }.scope(.cached)
}

final class FindingDepot: SharedContainer {
  static let shared = FindingDepot()
  let manager = ContainerManager()
  var basket: Factory<Basket> { self { Basket() }.cached }
  var invoice: Factory<Basket> { self { Basket() } }
  var numbered: ParameterFactory<Int, Basket> {
    self { _ in Basket() }.scopeOnParameters.cached
  }
  var expiring: Factory<Basket> { self { Basket() }.cached }
}

/// What a sandbox finds at its end, in which a body ran.
func findings(recorded: Bool = false, _ body: () -> Void) -> [DiagnosticIssue] {
  let issues = Issues()
  ScopeOpener(
    .sandbox, recorder: recorded ? ResolutionRecorder() : nil, name: "checkout",
    location: CodeLocation(), report: issues.handler
  ).run(body)
  return issues.all
}

/// What a sandbox finds at its end, in which a body ran that waits.
nonisolated(nonsending) func findingsLater(
  recorded: Bool = false, _ body: () async throws -> Void
) async throws -> [DiagnosticIssue] {
  let issues = Issues()
  try await ScopeOpener(
    .sandbox, recorder: recorded ? ResolutionRecorder() : nil, name: "checkout",
    location: CodeLocation(), report: issues.handler
  ).run(body)
  return issues.all
}
