/// A service that is resolved on first use, in Swinject's and DITranquillity's vocabulary.
///
/// Use it as a parameter of an initialiser, in a request (`r.resolve(Lazy<any Mailer>.self)`), or
/// as a property wrapper. `Provider` resolves its service at every use instead.
public typealias Lazy<Service> = LazyInjected<Service>

extension LazyInjected {
  /// The service, resolved on first use; an alias for `wrappedValue`.
  public var instance: Service { wrappedValue }

  /// The service, resolved on first use; an alias for `wrappedValue`.
  public var value: Service { wrappedValue }

  /// Whether the service has been resolved.
  public var wasMade: Bool { !isEmpty }

  /// Releases the instance; an alias for `release()`.
  public func clear() { release() }
}
