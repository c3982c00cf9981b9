// A test's settings for a scope besides its doubles: how strict it is about live services, the
// fallbacks for missing doubles, and the treatment of work that escapes it.

/// A treatment of an event that a test may not want.
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

/// A treatment of requests that belong to no test while a sandbox is open.
package enum UnscopedWork: Sendable, Hashable {
  /// They get production's registrations, and are reported as specified.
  case treat(Treatment)
  /// The innermost scope serves them, if all open ones are nested in one another.
  case adopt
}

/// The policies that a frame sets; inner frames inherit and extend them.
package struct FramePolicy: Sendable {
  /// The treatment of live services that are resolved.
  package var strictness: Treatment?
  /// The place where the strictness was set, for advice.
  package var strictBy = StrictBy.trait
  /// Predicates for live services that may be resolved anyway.
  package var mayBeLive: [@Sendable (LiveService) -> Bool] = []
  /// Sources of doubles for services without one, searched innermost first.
  package var fallbacks: [Fallback] = []
  /// The treatment of requests by work that outlives the scope.
  package var lateWork: Treatment?
  /// The treatment of requests that belong to no test while the scope is open.
  package var unscopedWork: UnscopedWork?
  /// The treatment of changes that a test makes to the process outside every sandbox.
  package var processChanges: Treatment?
  /// The log of instances that should be released when the scope has ended.
  package var leakWatch: InstanceLog?
  /// Closures that receive each live service that is returned, and the place of the request.
  package var hearsLive: [@Sendable (LiveService, CodeLocation) -> Void] = []
  /// The treatment of doubles that were never resolved; that of `strictness` unless set.
  package var unusedDoubles: Treatment?

  package init() {}

  fileprivate func extending(_ outer: FramePolicy) -> FramePolicy {
    var all = self
    if strictness == nil { (all.strictness, all.strictBy) = (outer.strictness, outer.strictBy) }
    all.mayBeLive += outer.mayBeLive
    all.fallbacks += outer.fallbacks
    all.hearsLive += outer.hearsLive
    all.lateWork = lateWork ?? outer.lateWork
    all.unscopedWork = unscopedWork ?? outer.unscopedWork
    all.processChanges = processChanges ?? outer.processChanges
    all.leakWatch = leakWatch ?? outer.leakWatch
    all.unusedDoubles = unusedDoubles ?? outer.unusedDoubles
    return all
  }

  /// The ways to set the strictness.
  package enum StrictBy: Sendable {
    case trait
    case function
    case testCase
  }

  /// A live service, as passed to exceptions.
  package struct LiveService: Sendable {
    package let key: ServiceKey
    package let owner: ContainerCore
    package let registeredAt: CodeLocation
    package let assembly: ObjectIdentifier?
  }
}

/// The policies of a frame, as the kernel holds them.
package final class PolicyBox: ScopePolicy {
  fileprivate let policy: FramePolicy

  package init(_ policy: FramePolicy) { self.policy = policy }

  package func extending(_ outer: any ScopePolicy) -> any ScopePolicy {
    (outer as? PolicyBox).map { PolicyBox(policy.extending($0.policy)) } ?? self
  }
}

extension ContextFrame {
  /// The policies in force: those that the frame sets, and what enclosing frames set.
  package var testPolicies: FramePolicy? { (policies as? PolicyBox)?.policy }

  /// The policies that the frame sets, if any.
  package var testPolicy: FramePolicy? { (policy as? PolicyBox)?.policy }
}
