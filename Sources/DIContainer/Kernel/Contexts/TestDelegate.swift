internal import DIPrimitives

/// The kernel's delegate in a process that runs tests: it supplies doubles that no test registered,
/// and notes what tests are told at the end.
///
/// `Findings` implements it, and the testing module installs it. In production there is none, and
/// the kernel uses nothing else of that layer.
package protocol TestDelegate: AnyObject, Sendable {
  // MARK: Requests

  /// The frame that serves work without a context, if any.
  var unboundFrame: ContextFrame? { get }
  /// Whether the calling code is known to be part of a running test, not what an earlier one left
  /// behind.
  var isInRunningTest: Bool { get }
  /// Returns the frame that serves a request without a context, if any, after noting the request.
  func frame(forUnbound request: Request, container: Resolver) -> ContextFrame?
  /// Notes a request in a scope that has ended.
  func noteLate(_ request: Request, container: Resolver, in frame: ContextFrame)
  /// Returns a fallback's double for a container's service; nil if there is none.
  func fallback(
    for request: Request, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble?
  /// Whether a fallback has a double for a container's service, which belongs to the main actor.
  ///
  /// On the main actor, the double is made: one of another type does not count.
  func fallbackNeedsMain(_ key: ServiceKey, of core: ContainerCore, in frame: ContextFrame) -> Bool
  /// Notes a live service that is returned, or that a double wraps, in a frame with policies.
  func noteLive(
    _ registration: Registration, of core: ContainerCore, _ request: Request, isWrapped: Bool,
    in frame: ContextFrame)
  /// Notes a class instance that is returned for a request, in a recorded frame or one with
  /// policies.
  ///
  /// `core`: the container that holds the registration.
  func noteReturned(
    _ instance: AnyObject, of registration: Registration, _ core: ContainerCore, isDouble: Bool,
    _ request: Request, in frame: ContextFrame)
  /// Notes the request for which a live instance was made that the frame keeps.
  func noteKept(
    _ registration: Registration, for request: Request, requestedBy requester: ServiceKey?,
    in caches: ContextFrame)
  /// Returns notes and remedies for a request that nothing is registered for.
  func advice(onMissing request: Request, container: Resolver) -> [ResolutionError.Circumstance]

  // MARK: Registrations

  /// Checks a registration that is about to be stored; returns what is to be done afterwards.
  ///
  /// `declared`: the property of another container that it is for.
  func willStore(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?,
    in frame: ContextFrame
  ) -> (() -> Void)?
  /// Notes a registration that was stored while a layer is open.
  func didStore(_ registration: Registration, in core: ContainerCore, under frame: ContextFrame)
  /// Notes a registration or removal in a container itself, which no sandbox holds.
  ///
  /// `isOfLayer`: whether the closure of a layer made it.
  func didChange(
    _ registration: Registration, in core: ContainerCore, _ frame: ContextFrame?, isOfLayer: Bool)

  // MARK: Containers

  /// Notes a new container.
  func didMake(_ core: ContainerCore)
  /// Notes that a container was nested in another.
  func didNest(_ child: ContainerCore, in core: ContainerCore, at location: CodeLocation)
  /// Notes that the registrations of a container are about to be removed.
  ///
  /// `repeating`: the set-up code that runs again after it.
  func willReset(
    _ core: ContainerCore, of present: [Registration],
    repeating setUp: [Registration.RepeatedSetUp], at location: CodeLocation)
  /// Notes that the process's root is about to be replaced.
  func willReplaceRoot(_ old: Resolver, with new: Resolver)
  /// Notes that a variable of the process, such as `Shop.shared` or `Resolver.defaultScope`, is
  /// about to be assigned.
  ///
  /// `name`: the assigned variable. `present`: returns its value.
  func willReplaceShared(
    _ name: String, _ old: AnyObject?, with new: AnyObject?,
    present: @escaping @Sendable () -> AnyObject?)
  /// Notes that the process's root was reset.
  func didResetRoot()

  // MARK: Frames

  /// Notes the registrations of a sandbox's view that is released before the sandbox ends.
  func willRelease(_ view: ContextFrame.View, of frame: ContextFrame)
  /// Notes a sandbox that is removed from the open ones.
  func willClose(_ sandbox: ContextFrame)
  /// Reports what is left in the frame of a recorder at its end.
  func didRecord(in frame: ContextFrame)
  /// Reports what was noted in a frame, which has ended.
  func didEnd(_ frame: ContextFrame)

  /// Reports an issue to the running test.
  func report(_ issue: DiagnosticIssue)
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
    di_tests_are_known() ? installed.withLock { $0 } : nil
  }

  /// Makes requests outside all frames look for the delegate, or stops that again.
  package static func watchUnboundRequests(_ isWatching: Bool) {
    di_attention_add(isWatching ? 1 : -1)
  }

  /// Installs a delegate, unless there is one.
  package static func install(_ delegate: any TestDelegate) {
    installed.withLock { if $0 == nil { $0 = delegate } }
    di_tests_note(true)
  }

  private static var module: (any TestingModule.Type)? {
    Resolver.self as Any as? any TestingModule.Type
  }

  /// Returns the delegate, also that of a testing module that was not used yet; nil in production.
  ///
  /// The module only has to be linked: changes made by a test that opens no scope are reported too.
  /// The search takes a while, and happens once.
  @inline(never)
  static func findDelegate() -> (any TestDelegate)? {
    if !di_tests_are_possible() { return nil }
    if let delegate { return delegate }
    guard let module else {
      di_tests_note(false)
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
