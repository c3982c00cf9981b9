public import Foundation

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
public struct ResolutionError: Error, Sendable, Equatable, CustomStringConvertible {
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
    /// The factory runs on this actor, and the request was made elsewhere without `await`.
    case needsActor(String)
    /// The factory is async, and the request was made without `await`.
    case needsAwait
    /// The service is not Sendable, and would leave the actor that made it.
    case leavesActor(String)
    /// The requesting task was cancelled, or the factory was.
    case cancelled
    /// A container was to be nested in itself, directly or through others.
    case containerCycle(child: String)
    /// Any other failure, described by a text.
    case other(String)
  }

  // One reference, so that the many functions that may throw an error have small stack frames.
  private let contents: Contents

  private final class Contents: Sendable {
    let reason: Reason
    let key: ServiceKey?
    let chain: [ChainLink]
    let requestedAt: CodeLocation
    let registeredAt: CodeLocation?
    let underlying: (any Error)?
    let container: String?
    let nearMisses: [NearMiss]
    let notes: [String]
    let fixes: [String]

    init(
      _ reason: Reason, key: ServiceKey?, chain: [ChainLink], at location: CodeLocation,
      registeredAt: CodeLocation?, underlying: (any Error)?, container: String?,
      nearMisses: [NearMiss], notes: [String], fixes: [String]
    ) {
      self.reason = reason
      self.key = key
      self.chain = chain
      self.requestedAt = location
      self.registeredAt = registeredAt
      self.underlying = underlying
      self.container = container
      self.nearMisses = nearMisses
      self.notes = notes
      self.fixes = fixes
    }
  }

  package init(
    _ reason: Reason, key: ServiceKey? = nil, chain: [ChainLink] = [], at location: CodeLocation,
    registeredAt: CodeLocation? = nil, underlying: (any Error)? = nil, container: String? = nil,
    nearMisses: [NearMiss] = [], notes: [String] = [], fixes: [String] = []
  ) {
    contents = Contents(
      reason, key: key, chain: chain, at: location, registeredAt: registeredAt,
      underlying: underlying, container: container, nearMisses: nearMisses, notes: notes,
      fixes: fixes)
  }

  /// The kind of failure.
  public var reason: Reason { contents.reason }
  /// The service that could not be resolved, if a service was requested.
  public var key: ServiceKey? { contents.key }
  /// The requested services, from the outermost request to the one that failed.
  public var chain: [ServiceKey] { contents.chain.map(\.key) }
  /// The place of the request that failed.
  public var requestedAt: CodeLocation { contents.requestedAt }
  /// The place of the registration that failed, if there is one.
  public var registeredAt: CodeLocation? { contents.registeredAt }
  /// The error that the factory threw.
  public var underlying: (any Error)? { contents.underlying }
  /// The requested container.
  var container: String? { contents.container }
  var nearMisses: [NearMiss] { contents.nearMisses }
  var notes: [String] { contents.notes }
  /// Advice specific to the failure, given by the code that made the error.
  var fixes: [String] { contents.fixes }

  /// Returns the error with other advice.
  func advising(_ fixes: [String]) -> ResolutionError {
    ResolutionError(
      reason, key: key, chain: contents.chain, at: requestedAt, registeredAt: registeredAt,
      underlying: underlying, container: container, nearMisses: nearMisses, notes: notes,
      fixes: fixes)
  }

  /// Returns the error for a lazy property whose owner was made in a scope that has ended.
  func ofLazy(madeIn ended: ContextFrame) -> ResolutionError {
    let noun =
      switch ended.kind {
      case .layer: "layer"
      case .root: "scoped root"
      default: "sandbox"
      }
    let note = "the lazy property was made in a \(noun) that has ended: \(ended.owner.place)"
    let fix = "Make the property's owner in the scope that uses it."
    return ResolutionError(
      reason, key: key, chain: contents.chain, at: requestedAt, registeredAt: registeredAt,
      underlying: underlying, container: container, nearMisses: nearMisses, notes: notes + [note],
      fixes: reason == .notRegistered ? [fix] + fixes : fixes)
  }

  /// Returns whether both errors report the same failure of the same request.
  ///
  /// Underlying errors are compared by their descriptions.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.key == right.key && left.chain == right.chain
      && left.requestedAt == right.requestedAt && left.registeredAt == right.registeredAt
  }
}

extension ResolutionError: LocalizedError {
  /// The full diagnosis, also for alerts and logs that show only `localizedDescription`.
  public var errorDescription: String? { description }
}
