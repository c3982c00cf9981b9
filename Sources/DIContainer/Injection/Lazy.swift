/// A service that is asked for when it is first used, in Swinject's and DITranquillity's words.
///
/// As a parameter of an initialiser, in a request (`r.resolve(Lazy<any Mailer>.self)`), or as the
/// property wrapper that it is. See `Provider` for what is asked for at every use.
public typealias Lazy<Service> = LazyInjected<Service>

extension LazyInjected {
  /// The service, resolved on first use; the same as `wrappedValue`.
  public var instance: Service { wrappedValue }

  /// The service, resolved on first use; the same as `wrappedValue`.
  public var value: Service { wrappedValue }

  /// Whether the service has been resolved.
  public var wasMade: Bool { !isEmpty }

  /// Forgets the instance; the same as `release()`.
  public func clear() { release() }
}
