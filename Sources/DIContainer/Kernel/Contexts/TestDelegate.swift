internal import DIPrimitives

/// The kernel's delegate in a process that runs tests: it supplies doubles that no test registered,
/// and notes what tests are told at the end.
///
/// `Findings` implements it, and the testing module (`TestingModule`) installs it. In production
/// there is none, and the kernel uses nothing else of that layer.
package protocol TestDelegate: AnyObject, Sendable {
  /// The frame that serves work without a context, if any.
  var unboundFrame: ContextFrame? { get }
  /// Returns the frame that serves a request without a context, if any, after noting the request.
  func frame(forUnbound request: Request, container: Resolver) -> ContextFrame?
  /// Returns a fallback's double for a container's service; nil if there is none.
  func fallback(
    for request: Request, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble?
  /// Whether a fallback has a double for a container's service, which belongs to the main actor.
  ///
  /// On the main actor, the double is made: one of another type does not count.
  func fallbackNeedsMain(_ key: ServiceKey, of core: ContainerCore, in frame: ContextFrame) -> Bool
  /// Reports a request that the test refuses, because a live boundary would serve it; returns the
  /// double that serves it instead, if any.
  func refuse(
    _ request: Request, for boundary: Registration, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble?
  /// Returns a frame that refuses a request without a context, if every test that it may belong to
  /// does.
  func frame(refusing request: Request, container: Resolver) -> ContextFrame?
  /// Returns notes and remedies for a request that nothing is registered for.
  func advice(onMissing request: Request, container: Resolver) -> [ResolutionError.Circumstance]
  /// Checks a registration that is about to be stored; returns what is to be done afterwards.
  ///
  /// `declared`: the property of another container that it is for.
  func willStore(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?,
    in frame: ContextFrame
  ) -> (() -> Void)?
  /// Notes an event that the test may be told about.
  func note(_ event: TestEvent)
  /// Reports an issue to the running test.
  func report(_ issue: DiagnosticIssue)
}

/// An event of which a finding may be made.
package enum TestEvent {
  // MARK: Requests

  /// A request was made in a scope that has ended.
  case late(Request, container: Resolver, in: ContextFrame)
  /// A live service is returned, or a double wraps it, in a frame with policies.
  case live(
    Registration, of: ContainerCore, Request, isWrapped: Bool, in: ContextFrame)

  // MARK: Registrations

  /// A registration was stored while a layer is open.
  case stored(Registration, in: ContainerCore, under: ContextFrame)
  /// A container itself, which no sandbox holds, got a registration or removal; `isOfLayer`: by the
  /// closure of a layer.
  case changed(Registration, in: ContainerCore, ContextFrame?, isOfLayer: Bool)

  // MARK: Containers

  /// A container was made.
  case made(ContainerCore)
  /// A container was nested in another.
  case nested(ContainerCore, in: ContainerCore, at: CodeLocation)
  /// Registrations of a container are about to be removed, which no set-up code makes again.
  case willReset(ContainerCore, of: [Registration], at: CodeLocation)
  /// The process's root is about to be replaced.
  case willReplaceRoot(Resolver, with: Resolver)
  /// A variable of the process, such as `Shop.shared` or `Resolver.defaultScope`, is about to be
  /// assigned.
  case willReplaceShared(String, AnyObject?, with: AnyObject?)
  /// The process's root was reset.
  case didResetRoot

  // MARK: Frames

  /// A sandbox's view of a container is about to be released, before the sandbox ends.
  case willRelease(ContextFrame.View, of: ContextFrame)
  /// A sandbox leaves the open ones.
  case willClose(ContextFrame)
  /// A frame has ended.
  case didEnd(ContextFrame)
}

/// A double that a fallback has for a service.
package enum FallbackDouble {
  /// An instance of the requested type; `isNew`: it was not returned before.
  case double(Any, isNew: Bool)
  /// It belongs to the main actor, and the caller runs elsewhere.
  case onMainOnly
}

/// A property of a container, with the key of its requests.
package struct DeclaredService {
  package let key: ServiceKey
  package let core: ContainerCore
}

/// A test's settings for a scope, which only the delegate reads.
package protocol ScopePolicy: AnyObject, Sendable {
  /// Returns the policy in force in a frame that sets this one, inside one where another is.
  func extending(_ outer: any ScopePolicy) -> any ScopePolicy
  /// The treatment of live services behind boundaries; nil if they are like others.
  var boundaries: BoundaryPolicy? { get }
  /// Whether the live registrations of an assembly's type are left out.
  func leavesOut(_ assembly: ObjectIdentifier) -> Bool
}

/// A test's treatment of live services behind boundaries.
package struct BoundaryPolicy: Sendable {
  /// The boundaries that may be reached.
  package var allowed: Set<String>
  /// The keys of refused requests, by the registrations that would have served them.
  package let refused = Lock<[UInt64: Set<ServiceKey>]>([:])

  package init(allowing allowed: some Sequence<String>) { self.allowed = Set(allowed) }
}

/// The testing module: `Resolver` conforms to this where it is linked.
///
/// The kernel refers to the module in no other way.
package protocol TestingModule: SendableMetatype {
  /// Binds the module's hooks, and so installs the delegate.
  static func bindHooks()
  /// Prepares for the process's first request, once, if the process runs tests.
  static func willResolve()
}

/// Whether a report fails a test.
package enum IssueSeverity: Sendable, Hashable { case warning, error }

/// A report for a running test.
package struct DiagnosticIssue: Sendable, Hashable {
  package let text: String
  package let severity: IssueSeverity
  package let location: CodeLocation

  package init(text: String, severity: IssueSeverity, location: CodeLocation) {
    self.text = text
    self.severity = severity
    self.location = location
  }
}

/// A handler that receives issues.
///
/// The kernel depends on no test framework: the testing module binds this.
package typealias IssueHandler = @Sendable (DiagnosticIssue) -> Void

/// The access to the process's `TestDelegate`.
package enum Tests {
  private static let installed = Lock<(any TestDelegate)?>(nil)

  /// The delegate, if a testing module installed it.
  static var delegate: (any TestDelegate)? {
    di_holds(di_tests_are_known) ? installed.withLock { $0 } : nil
  }

  /// Makes requests outside all frames look for the delegate, or stops that again.
  package static func watchUnboundRequests(_ isWatching: Bool) {
    di_attention_add(isWatching ? 1 : -1)
  }

  /// Installs a delegate, unless there is one.
  package static func install(_ delegate: any TestDelegate) {
    installed.withLock { if $0 == nil { $0 = delegate } }
    di_note(di_tests_are_impossible, false)
    di_note(di_tests_are_known, true)
  }

  /// Whether a test may be changing the process; always before this was checked.
  static var arePossible: Bool { !di_holds(di_tests_are_impossible) }

  private static var module: (any TestingModule.Type)? {
    Resolver.self as Any as? any TestingModule.Type
  }

  /// Returns the delegate, also that of a testing module that was not used yet; nil in production.
  ///
  /// The module only has to be linked: changes made by a test that opens no scope are reported too.
  /// The search takes a while, and happens once.
  @inline(never)
  static func findDelegate() -> (any TestDelegate)? {
    if !arePossible { return nil }
    if let delegate { return delegate }
    guard let module else {
      di_note(di_tests_are_impossible, true)
      return nil
    }
    module.bindHooks()
    return delegate
  }

  /// Notifies the testing module, if there is one, that the process's first request is made.
  static func willResolve() {
    if FactoryContext().isTest { module?.willResolve() }
  }
}
