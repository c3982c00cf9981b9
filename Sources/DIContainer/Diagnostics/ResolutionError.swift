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
    /// The factory answered nil.
    case factoryReturnedNil
    /// The factory threw an error that is not a `ResolutionError`; its description.
    case factoryFailed(String)
    /// `implements` promised a protocol that the service does not conform to.
    case notImplemented(protocol: String, by: String)
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

  /// What went wrong.
  public let reason: Reason
  /// The service that could not be had, if a service was asked for.
  public let key: ServiceKey?
  /// What was asked for on the way, from the outermost request to the one that failed.
  public let chain: [ServiceKey]
  /// Where the request was made that failed.
  public let requestedAt: CodeLocation
  /// Where the registration was made that could not answer, if there is one.
  public let registeredAt: CodeLocation?
  /// The error that the factory threw.
  public let underlying: (any Error)?
  /// The container that was asked.
  package let container: String?
  /// Where each link of `chain` was asked for.
  package let chainLocations: [CodeLocation]
  package let nearMisses: [NearMiss]
  package let notes: [String]

  package init(
    _ reason: Reason, key: ServiceKey? = nil, chain: [ChainLink] = [], at location: CodeLocation,
    registeredAt: CodeLocation? = nil, underlying: (any Error)? = nil, container: String? = nil,
    nearMisses: [NearMiss] = [], notes: [String] = []
  ) {
    self.reason = reason
    self.key = key
    self.chain = chain.map(\.key)
    self.chainLocations = chain.map(\.location)
    self.requestedAt = location
    self.registeredAt = registeredAt
    self.underlying = underlying
    self.container = container
    self.nearMisses = nearMisses
    self.notes = notes
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

  package let kind: Kind
  package let key: ServiceKey
  package let location: CodeLocation
}
