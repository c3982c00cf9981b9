/// Why a service could not be resolved: what went wrong, where, and how to fix it.
///
/// `description` is the whole diagnosis; it is the same text that a trap prints and that a test
/// issue shows.
public struct ResolutionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Reason: Sendable, Equatable {
    /// Nothing is registered for the service.
    case notRegistered
    /// The service needs itself, directly or by way of others or of other threads.
    case cycle
    /// The chain of dependencies is too long for the stack of its thread.
    case tooDeep
    /// The factory returned nil.
    case factoryReturnedNil
    /// The factory threw an error that is not a `ResolutionError`; its description.
    case factoryFailed(String)
    /// `implements` promised a protocol that the service does not conform to.
    case notImplemented(protocol: String, by: String)
    /// What `implements` promised holds on one actor only, and the request was made elsewhere.
    case implementedOnActor(protocol: String, by: String)
    /// The factory read an argument that was not passed.
    case missingArgument(key: String?, type: String, given: [String])
    /// The factory read an argument as another type than was passed.
    case wrongArgument(key: String?, type: String, given: String)
    /// The factory read "the" argument although several were passed.
    case severalArguments(keys: [String])
    /// The request was made for a test that has ended, and no double is registered.
    case late(test: String)
    /// The factory runs on this actor, and the request was made elsewhere without `await`.
    case needsActor(String)
    /// The factory is async, and the request was made without `await`.
    case needsAwait
    /// The service is not Sendable, and would leave the actor that made it.
    case leavesActor(String)
    /// The task that asked was cancelled, or the factory was.
    case cancelled
    /// A container was to be nested into itself.
    case containerCycle(child: String)
    /// Anything that only some dialect or scope can meet, in words.
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

  /// What went wrong.
  public var reason: Reason { contents.reason }
  /// The service that could not be had, if a service was asked for.
  public var key: ServiceKey? { contents.key }
  /// What was asked for on the way, from the outermost request to the one that failed.
  public var chain: [ServiceKey] { contents.chain.map(\.key) }
  /// Where the request was made that failed.
  public var requestedAt: CodeLocation { contents.requestedAt }
  /// Where the registration was made that could not answer, if there is one.
  public var registeredAt: CodeLocation? { contents.registeredAt }
  /// The error that the factory threw.
  public var underlying: (any Error)? { contents.underlying }
  /// The container that was asked.
  var container: String? { contents.container }
  var nearMisses: [NearMiss] { contents.nearMisses }
  var notes: [String] { contents.notes }
  /// What to do about it, where only the place that made the error can tell.
  var fixes: [String] { contents.fixes }

  /// The same with other advice.
  func advising(_ fixes: [String]) -> ResolutionError {
    ResolutionError(
      reason, key: key, chain: contents.chain, at: requestedAt, registeredAt: registeredAt,
      underlying: underlying, container: container, nearMisses: nearMisses, notes: notes,
      fixes: fixes)
  }

  /// The same for a lazy property whose owner was made in a scope that has ended.
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

  /// The whole diagnosis: what went wrong, where, and how to fix it.
  public var description: String { DiagnosisFormatter.text(for: self) }

  /// Whether both report the same failure of the same request; underlying errors are compared by
  /// their descriptions.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.key == right.key && left.chain == right.chain
      && left.requestedAt == right.requestedAt && left.registeredAt == right.registeredAt
  }
}

/// Something registered that comes close to what was asked for.
package struct NearMiss: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The same type under another name, or with or without one.
    case otherName
    /// A type that conforms to, or inherits from, the one asked for.
    case otherType
    /// Another type of a similar name.
    case similarType
    /// The same service, in a container that the one asked does not reach.
    case otherContainer(String)
  }

  let kind: Kind
  let key: ServiceKey
  let location: CodeLocation
}
