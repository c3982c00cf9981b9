/// The reason why a service could not be resolved, with the circumstances and how to fix it.
///
/// `description` is the full diagnosis: the same text that a trap prints and that a test issue
/// shows.
///
/// ```swift
/// do {
///   let payments = try resolver.require((any Payments).self)
///   print("Paying by \(type(of: payments))")
/// } catch {
///   if error.reason == .notRegistered { print(error) }
/// }
/// ```
public struct ResolutionError: Error, Sendable, Equatable {
  /// The kinds of failures.
  public enum Reason: Sendable, Equatable {
    /// Nothing is registered for the service.
    case notRegistered
    /// The service depends on itself, directly or through others or other threads.
    case cycle
    /// The chain of dependencies is too long for the stack of its thread.
    case tooDeep
    /// The factory returned nil.
    case factoryReturnedNil
    /// The factory threw an error other than a `ResolutionError`, with this description.
    case factoryFailed(String)
    /// `implements` names a protocol that the service does not conform to.
    case notImplemented(protocol: String, by: String)
    /// The service conforms to the protocol of `implements` on one actor only, and the request was
    /// made elsewhere.
    case implementedOnActor(protocol: String, by: String)
    /// The factory read an argument that was not passed.
    case missingArgument(key: String?, type: String, given: [String])
    /// The factory read an argument as another type than was passed.
    case wrongArgument(key: String?, type: String, given: String)
    /// The factory read its only argument, but several were passed.
    case severalArguments(keys: [String])
    /// The request was made for a test that has ended, and no double is registered.
    case late(test: String)
    /// A live service behind this boundary would serve the request, and the test refuses it.
    case boundary(String)
    /// The factory runs on the main actor, and the request was made elsewhere without `await`.
    case needsMainActor
    /// The factory is async, and the request was made without `await`.
    case needsAwait
    /// The requesting task was cancelled, or the factory was.
    case cancelled
    /// A container was to be nested in itself, directly or through others.
    case containerCycle(child: String)
    /// Any other failure, described by a text.
    case other(String)
  }

  /// A fact beside the reason that the diagnosis is made from.
  package enum Circumstance: Sendable {
    /// A registration is similar to the missing one.
    case close(NearMiss)
    /// `registerAllServices` ran in another module than the request's, first at this place.
    case started(CodeLocation)
    /// A service of the cycle has to be awaited.
    case awaited
    /// The service's properties are set on the main actor, and its factory runs elsewhere.
    case setsPropertiesOnMain
    /// The fallback's double belongs to the main actor.
    case fallbackOnMain
    /// A dry run leaves the factory out.
    case leftOut
    /// The argument was read by a call that cannot throw.
    case readWithoutTry
    /// The factory's error is a diagnosis of its own, which the reason holds.
    case diagnosed
    /// The failure ends the process.
    case fatal
    /// A note or a remedy that a layer above the kernel gives.
    case note(String)
    case fix(String)
  }

  // One reference, so that the many functions that may throw an error have small stack frames.
  private let contents: Reference<Facts>
  private var facts: Facts { contents.value }

  private struct Facts: Sendable {
    let reason: Reason
    var key: ServiceKey?
    var chain: [ChainLink]
    var requestedAt: CodeLocation
    let registeredAt: CodeLocation?
    let underlying: (any Error)?
    let container: String?
    var circumstances: [Circumstance]
  }

  package init(
    _ reason: Reason, key: ServiceKey? = nil, chain: [ChainLink] = [], at location: CodeLocation,
    registeredAt: CodeLocation? = nil, underlying: (any Error)? = nil, container: String? = nil,
    circumstances: [Circumstance] = []
  ) {
    self.init(
      Facts(
        reason: reason, key: key, chain: chain, requestedAt: location, registeredAt: registeredAt,
        underlying: underlying, container: container, circumstances: circumstances))
  }

  private init(_ facts: Facts) { contents = Reference(facts) }

  private func changed(_ change: (inout Facts) -> Void) -> ResolutionError {
    var facts = facts
    change(&facts)
    return ResolutionError(facts)
  }

  /// The kind of failure.
  public var reason: Reason { facts.reason }
  /// The service that could not be resolved, if a service was requested.
  public var key: ServiceKey? { facts.key }
  /// The requested services, from the outermost request to the one that failed.
  public var chain: [ServiceKey] { links.map(\.key) }
  var links: [ChainLink] { facts.chain }
  /// The place of the request that failed.
  public var requestedAt: CodeLocation { facts.requestedAt }
  /// The place of the registration that failed, if there is one.
  public var registeredAt: CodeLocation? { facts.registeredAt }
  /// The error that the factory threw.
  public var underlying: (any Error)? { facts.underlying }
  var container: String? { facts.container }
  var circumstances: [Circumstance] { facts.circumstances }

  /// Returns the error with further circumstances, before and after those that it has.
  func adding(_ first: [Circumstance] = [], after: [Circumstance] = []) -> ResolutionError {
    changed { $0.circumstances = first + circumstances + after }
  }

  /// Returns the error of a build for another request that waited for it, with that one's chain.
  ///
  /// `first` is the request that began the build, `outer` the chain before the other one.
  func replacing(
    _ first: ChainLink, by request: Request, after outer: [ChainLink]
  ) -> ResolutionError {
    guard reason != .cycle, let index = links.firstIndex(of: first) else { return self }
    let below = links[(index + 1)...]
    return changed {
      $0.chain = outer + [request.chainLink] + below
      if below.isEmpty { ($0.key, $0.requestedAt) = (request.key, request.location) }
    }
  }

  /// Returns whether both errors report the same failure of the same request.
  ///
  /// Underlying errors are compared by their descriptions.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.key == right.key && left.chain == right.chain
      && left.requestedAt == right.requestedAt && left.registeredAt == right.registeredAt
  }
}

/// An error of a factory whose description is a diagnosis: nothing is said around it.
package protocol DiagnosedError: Error {
  /// The error that it is about; nil if it is itself the first.
  var cause: (any Error)? { get }
}

/// A registration similar to a requested key.
package struct NearMiss: Sendable, Hashable {
  package enum Mismatch: Sendable, Hashable {
    /// The type is registered under another name, or with or without one.
    case otherName
    /// Another type is registered that conforms to, or inherits from, the requested one.
    case otherType
    /// Another type is registered that the requested one conforms to or inherits from, or whose
    /// name is similar; or the type itself, as a property or by type.
    case similarType
    /// The type is registered in a container that the requested one does not reach.
    case otherContainer(String)
  }

  let mismatch: Mismatch
  package let key: ServiceKey
  package let location: CodeLocation
}
