// Swinject's vocabulary. Its `.container` differs from this library's scope of that name, so its
// scopes are a type of their own.

/// An object scope of Swinject: `register(…).inObjectScope(.container)`.
///
/// Object scopes are compared by identity, as in Swinject: `scope === ObjectScope.transient`.
public final class ObjectScope: Sendable {
  /// The equivalent scope of this library.
  public let scope: Scope

  /// Creates an object scope from any scope, such as a custom one.
  public init(_ scope: Scope) {
    self.scope = scope.keeping
  }

  /// A new instance for every request: `Scope.unique`.
  public static let transient = ObjectScope(.unique)
  /// One instance per object graph: `Scope.graph`.
  public static let graph = ObjectScope(.graph)
  /// One instance, built and kept by the container that owns it: `Scope.perContainer(.strong)`.
  public static let container = ObjectScope(.perContainer(.strong))
  /// One instance for as long as something holds it: `Scope.shared`.
  public static let weak = ObjectScope(.shared)
}

/// The type that `register` returns, in Swinject's vocabulary.
public typealias ServiceEntry<Service> = ResolverOptions<Service>

extension ResolverOptions {
  /// Sets how long an instance is kept, in Swinject's vocabulary; see `scope(_:)`.
  @discardableResult
  public func inObjectScope(_ objectScope: ObjectScope) -> ResolverOptions<Service> {
    scope(objectScope.scope)
  }

  /// Sets properties of each new instance, which may refer to services that need it.
  ///
  /// Unlike those of `resolveProperties(_:)`, they are set once the outermost service under
  /// construction is built, whichever services they need, and before the request for it returns;
  /// those of several instances are set in the order in which the instances were made. Until then
  /// other threads wait for the new instances that are to be kept, unless they would wait forever,
  /// and if a property cannot be set, none of these instances is kept. The properties of the
  /// outermost service itself are set at once.
  ///
  /// The properties of an async service (`registerAsync`) are also set at once, when its factory
  /// has returned. If they need an async service that is under construction, the cycle is an
  /// error. A request that an async factory makes for a service that is not async counts as an
  /// outermost one.
  ///
  /// - Parameter block: Receives the container that the request was made to, and the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func initCompleted(
    _ block: @escaping (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    settingProperties(ofCycle: true, block)
  }

  /// Registers the service for several protocols too; see `implements(_:name:)`.
  ///
  /// - Parameters:
  ///   - first: A protocol, or superclass, to register the service for.
  ///   - second: Another one.
  ///   - others: More of them.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func implements<First, Second, each Other>(
    _ first: First.Type, _ second: Second.Type, _ others: repeat (each Other).Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    implements(first, fileID: fileID, filePath: filePath, line: line, column: column)
    implements(second, fileID: fileID, filePath: filePath, line: line, column: column)
    repeat _ = implements(
      each others, fileID: fileID, filePath: filePath, line: line, column: column)
    return self
  }
}

extension Resolver {
  /// Registers a service for a protocol too, in the container that the service is registered in.
  ///
  /// An alias for `service.implements(_:name:)`.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
  ///   - service: The options that `register` returned.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  public func forward<Protocol, Service>(
    _ type: Protocol.Type, name: Name? = nil, to service: ResolverOptions<Service>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    service.implements(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
