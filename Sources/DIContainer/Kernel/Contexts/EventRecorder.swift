// The receivers of what happens in a frame: recorders and dry runs, which layers above implement.

/// A recorder of requests and registrations.
package protocol EventRecorder: AnyObject, Sendable {
  /// Notes that a scope in which it listens was opened, by the number of its frame.
  func didOpen(_ scope: UInt64)
  /// Notes that a scope in which it listens has ended.
  func didEnd(_ scope: UInt64)
  /// Adds an event; returns its position.
  func add(_ event: EventNote) -> Int
  /// Notes the outcome of a request at the position of its event; `failure`: what its factory did,
  /// if that failed.
  func finish(
    _ position: Int, as outcome: Outcome, _ failure: String?, after duration: Duration)
  /// Notes that a registration was given another scope after it was made.
  func rescope(_ registration: Registration)
}

extension EventRecorder {
  package func didOpen(_ scope: UInt64) {}
  package func didEnd(_ scope: UInt64) {}
}

/// The outcome of a request.
package enum Outcome: Sendable {
  /// A new instance was returned.
  case created
  /// A kept or shared instance was returned.
  case kept
  /// Nothing was returned.
  case missed
}

/// A request or a registration, as noted for a recorder.
///
/// It holds no container, registration or instance: these are released as they would be without a
/// recorder.
package struct EventNote: Sendable {
  /// The number that requests made by this one's factory refer to; 0 if there are none.
  package internal(set) var number: UInt64 = 0
  /// The number of the request in whose factory this one was made, or 0.
  package let parent: UInt64
  /// The outcome so far; nil for a registration.
  package internal(set) var outcome: Outcome?
  package let key: ServiceKey
  package let container: String
  package internal(set) var scope: Scope?
  package let isDouble: Bool
  package let registeredAt: CodeLocation?
  /// The place of the request; nil for registrations.
  package let requestedAt: CodeLocation?
  package internal(set) var duration: Duration = .zero
  /// What the factory did, if it failed: `threw OutOfStock()`.
  package internal(set) var failure: String?
}

// MARK: - Trial runs

/// The outcome of a factory in a trial run, which runs each factory once.
package enum TrialVisit {
  case made(Instance)
  /// The factory failed, in the request that ends with this link of the error's chain.
  case failed(ResolutionError, in: ChainLink)
}

/// A run of factories to learn from, which is invisible outside its sandbox; it alone records what
/// happens there.
package protocol TrialRun: EventRecorder {
  /// Notes an instance that was returned.
  func made(_ service: Any, _ registration: Registration)

  /// Returns what came of the first request without arguments for a registration to a container;
  /// nil if there was none.
  func visit(_ registration: Registration, from container: ContainerCore) -> TrialVisit?

  /// Notes what came of such a request.
  func note(_ visit: TrialVisit, _ registration: Registration, from container: ContainerCore)

  /// Notes a request for an optional that returned nil because nothing is registered.
  func returnedNil(_ request: Request, _ container: Resolver)

  /// Notes the error that a request fails with because its factory cannot run in the trial.
  func passedOver(with error: any Error)
}
