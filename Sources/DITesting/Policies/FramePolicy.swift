#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A test's settings for a scope besides its doubles: how strict it is about live services, the
// fallbacks for missing doubles, and the treatment of work that escapes it.

/// The policies that a frame sets; inner frames inherit and extend them.
struct FramePolicy: Sendable {
  /// The treatment of live services that are resolved.
  var strictness: Strictness?
  /// The place where the strictness was set, for advice.
  var strictBy = StrictBy.trait
  /// Predicates for live services that may be resolved anyway.
  var mayBeLive: [@Sendable (LiveService) -> Bool] = []
  /// Sources of doubles for services without one, searched innermost first.
  var fallbacks: [Fallback] = []
  /// The treatment of live services behind boundaries; nil if they are like others.
  var boundaries: BoundaryPolicy?
  /// Sources of doubles for requests that `boundaries` refuses, searched innermost first.
  var standIns: [Fallback] = []
  /// The assemblies whose live registrations are left out.
  var leftOut: [any Assembly.Type] = []
  /// The treatment of requests by work that outlives the scope.
  var lateWork: Strictness?
  /// The treatment of requests that belong to no test while the scope is open.
  var unscopedWork: UnscopedPolicy?
  /// The treatment of changes that a test makes to the process outside every sandbox.
  var processChanges: Strictness?
  /// Closures that receive each live service that is returned or that a double wraps, and the place
  /// of the request.
  var hearsLive: [@Sendable (LiveService, CodeLocation) -> Void] = []
  /// The treatment of doubles that were never resolved; that of `strictness` unless set.
  var unusedDoubles: Strictness?
  /// Whether calls without a stubbed result, and stubbed results without a call, are allowed.
  var hasLenientDoubles = false

  /// The scope's own exceptions for live services, as they are reported if they match nothing.
  var exceptions: [LiveException] = []

  fileprivate func extending(_ outer: FramePolicy) -> FramePolicy {
    var all = self
    if strictness == nil { (all.strictness, all.strictBy) = (outer.strictness, outer.strictBy) }
    all.mayBeLive += outer.mayBeLive
    all.fallbacks += outer.fallbacks
    all.standIns += outer.standIns
    all.leftOut += outer.leftOut
    all.boundaries = outer.boundaries ?? boundaries
    if let boundaries { all.boundaries?.allowed.formUnion(boundaries.allowed) }
    all.hearsLive += outer.hearsLive
    all.lateWork = lateWork ?? outer.lateWork
    all.unscopedWork = unscopedWork ?? outer.unscopedWork
    all.processChanges = processChanges ?? outer.processChanges
    all.unusedDoubles = unusedDoubles ?? outer.unusedDoubles
    all.hasLenientDoubles = hasLenientDoubles || outer.hasLenientDoubles
    return all
  }

  /// The ways to set the strictness.
  enum StrictBy: Sendable {
    case trait
    case function
    case testCase
  }

  /// A live service, as passed to exceptions.
  struct LiveService: Sendable {
    let key: ServiceKey
    /// Nil if it is gone.
    var owner: ContainerCore?
    let registeredAt: CodeLocation
    let assembly: ObjectIdentifier?
    /// Whether a double wraps it.
    var isWrapped = false
  }
}

/// The policies of a frame, as the kernel holds them.
final class PolicyBox: ScopePolicy {
  fileprivate let policy: FramePolicy

  init(_ policy: FramePolicy) { self.policy = policy }

  func extending(_ outer: any ScopePolicy) -> any ScopePolicy {
    (outer as? PolicyBox).map { PolicyBox(policy.extending($0.policy)) } ?? self
  }

  var boundaries: BoundaryPolicy? { policy.boundaries }

  func leavesOut(_ assembly: ObjectIdentifier) -> Bool {
    policy.leftOut.contains { ObjectIdentifier($0) == assembly }
  }
}

extension ContextFrame {
  /// The policies in force: those that the frame sets, and what enclosing frames set.
  var testPolicies: FramePolicy? { (policies as? PolicyBox)?.policy }

  /// The treatment of requests that belong to no test.
  var unscopedPolicy: UnscopedPolicy { testPolicies?.unscopedWork ?? ProcessPolicies.unscopedWork }
}

extension Resolver {
  /// Creates the container of a layer, whose registrations are doubles.
  static func layer(at location: CodeLocation) -> Resolver {
    Resolver(core: ContainerCore(location: location, holdsDoubles: true))
  }
}
#endif
