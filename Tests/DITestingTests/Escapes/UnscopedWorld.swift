@testable import DITesting

// What tests of work that belongs to no test share. Each of them runs in a process of its own: in
// this one, other tests' sandboxes are open too, and what belongs to no test is reported to the
// process.

let carryingAdvice = """
    - Carry the context there: `let context = ResolutionContext.current`, then \
  `context.run { … }`.
    - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
  """

/// Runs a body in a process whose reports go to a collector.
func collecting(_ body: (Issues, Resolver) async -> Void) async {
  let issues = Issues()
  ProcessHooks.bind(ProcessHooks(report: issues.handler))
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }
  await body(issues, shop)
}

/// Opens a sandbox that has a name and says what is to become of such work.
@discardableResult
func sandbox<Result>(
  _ name: String, _ unscoped: UnscopedPolicy? = nil, at location: CodeLocation = CodeLocation(),
  isTest: Bool = false, _ operation: nonisolated(nonsending) () async -> Result
) async -> Result {
  var policy = FramePolicy()
  policy.unscopedWork = unscoped
  return await ScopeOpener(
    .sandbox, policy: policy, name: name, isTest: isTest, location: location
  ).run(operation)
}
