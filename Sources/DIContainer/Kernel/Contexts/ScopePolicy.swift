// What a test asks of a scope beside its doubles: how strict it is about live services, what
// stands in where no double is registered, and what happens to work that escapes it.

/// How something that a test may not want is treated.
package enum Treatment: Sendable, Hashable {
  case allow
  case warn
  case fail

  package var severity: DiagnosticIssue.Severity? {
    switch self {
    case .allow: nil
    case .warn: .warning
    case .fail: .error
    }
  }
}

/// How requests that belong to no test are treated while a sandbox is open.
package enum UnscopedWork: Sendable, Hashable {
  /// They get what production set up, and are reported or not.
  case treat(Treatment)
  /// The innermost scope answers them, if all that are open lie in one another.
  case adopt
}

/// A policy as a frame has it: most have none, and handing none on should cost nothing.
package final class SharedPolicy: Sendable {
  let policy: ScopePolicy

  package init(_ policy: ScopePolicy) {
    if policy.unscopedWork == .adopt { ContextFrame.listAllScopes() }
    self.policy = policy
  }
}

/// What a frame asks for; frames inside inherit it and add to it.
package struct ScopePolicy: Sendable {
  /// Whether a live service may be resolved.
  package var strictness: Treatment?
  /// Where the strictness was said, for advice.
  package var strictBy = StrictBy.trait
  /// Live services that may be resolved all the same.
  package var mayBeLive: [@Sendable (LiveService) -> Bool] = []
  /// Asked for a double, innermost first, where none is registered.
  package var fallbacks: [Fallback] = []
  /// How requests of work that outlives the scope are treated.
  package var lateWork: Treatment?
  /// How requests that belong to no test are treated while the scope is open.
  package var unscopedWork: UnscopedWork?
  /// How changes of the process are treated that a test makes outside every sandbox.
  package var processChanges: Treatment?
  /// Hears of instances that should be gone when the scope has ended.
  package var leakWatch: InstanceLog?
  /// Hears of each live service that is handed out, and where it was asked for.
  package var hearsLive: (@Sendable (LiveService, CodeLocation) -> Void)?

  /// How doubles that nobody resolved are treated; as `strictness` says unless set.
  package var unusedDoubles: Treatment?

  package init() {}

  /// The ways to ask for strictness.
  package enum StrictBy: Sendable {
    case trait
    case function
    case testCase
  }

  /// A live service, as exceptions see it.
  package struct LiveService: Sendable {
    package let key: ServiceKey
    package let owner: ContainerCore
    package let registeredAt: CodeLocation
    package let assembly: ObjectIdentifier?
  }
}
