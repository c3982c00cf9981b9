/// The options of a registration that was just made.
///
/// Each call takes effect at once and returns the registration, so that calls can be chained:
///
/// ```swift
/// resolver.register { CardGateway() }
///   .implements((any PaymentGateway).self)
///   .scope(.cached)
/// ```
///
/// Calls for a registration that was removed or reset meanwhile have no effect. The options can be
/// sent for any service because they hold no instance, so a task may end with a `register`.
public struct ResolverOptions<Service>: Sendable {
  /// The container that the registration is in.
  package let resolver: Resolver
  private var stored: StoredRegistration
  package var registration: Registration { stored.registration }

  init(resolver: Resolver, _ stored: StoredRegistration) {
    self.resolver = resolver
    self.stored = stored
  }

  /// Registers the service for a protocol too.
  ///
  /// A request for the protocol resolves to whatever is registered for the service at that time, in
  /// its scope, with the request's arguments.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  @inlinable
  public func implements<Protocol>(
    _ type: Protocol.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    aliased(type, name: name, CodeLocation(fileID, filePath, line, column)) { instance in
      converted(instance.value(as: Service.self), to: Protocol.self).map { Instance($0) }
    }
  }

  /// Registers the service for several protocols too; see `implements(_:name:)`.
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

  @usableFromInline
  func aliased(
    _ type: Any.Type, name: Resolver.Name?, _ location: CodeLocation,
    _ convert: @escaping Conversion
  ) -> ResolverOptions<Service> {
    guard let target = stored.target(in: resolver.core) else { return self }
    var maker = Maker.nothing
    maker.details.alias = Alias(of: registration, as: type, at: location, convert)
    target.store(
      Registration(
        key: ServiceKey(type, name: name), scope: .unique, location: location, maker: maker,
        options: target.options()))
    // A sandbox's view of it does not have the aliases of the earlier ones.
    if target.registry.find(registration.key)?.id == registration.id {
      registration.options.rare.earlier?.hold(
        target.withAliases(stored.earlier, of: registration.key))
    }
    return self
  }

  /// Sets properties of each new instance before it is returned.
  ///
  /// The instance belongs to the object graph before its properties are set, so two services
  /// may refer to each other. Through such a reference another thread may see it before all its
  /// properties are set. Several calls apply in order. Properties are set once, not each time that
  /// a kept instance is returned.
  ///
  /// ```swift
  /// resolver.register { Cart() }
  ///   .resolveProperties { resolver, cart in
  ///     let order: Order = resolver.resolve()
  ///     cart.skus = [order.title ?? "TEA-GREEN"]
  ///   }
  /// ```
  ///
  /// - Parameter block: Receives the container that the request was made to, and the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func resolveProperties(
    _ block: @escaping (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    settingProperties { resolver, service, _ in try block(resolver, service) }
  }

  /// Sets properties of each new instance, with the request's arguments; see
  /// `resolveProperties(_:)`.
  @discardableResult
  public func resolveProperties(
    _ block:
      @escaping (_ resolver: Resolver, _ service: Service, _ args: Resolver.Args) throws ->
      Void
  ) -> ResolverOptions<Service> {
    changed { $0.takesArguments = true }.settingProperties(block)
  }

  /// Sets properties; those of a cycle only after the services under construction are built.
  ///
  /// - Parameters:
  ///   - count: The number of arguments of the request that are taken by position.
  ///   - needs: The services that the block resolves, as far as they are known.
  package func settingProperties(
    ofCycle isOfCycle: Bool = false, taking count: Int = 0, needing needs: [Dependency] = [],
    _ block: @escaping (Resolver, Service, Resolver.Args) throws -> Void
  ) -> ResolverOptions<Service> {
    changed { details in
      details.takeArguments(count)
      details.setters.append(
        .init(isOfCycle: isOfCycle, needs: needs) { resolver, instance, args in
          try block(resolver, instance.value(as: Service.self), Resolver.Args(args))
        })
    }
  }

  /// The number of arguments of the request that factory and injections take by position.
  package var takenArguments: Int { registration.maker.details.argumentCount }

  /// Sets the scope, which decides how long an instance is kept and what it is kept for.
  ///
  /// - Parameter scope: The scope, such as `.cached` or `.unique`.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func scope(_ scope: Scope) -> ResolverOptions<Service> {
    var changed = self
    changed.stored.change(scope.keeping, in: resolver.core)
    return changed
  }

  /// Sets the scope; an alias for `scope(_:)`.
  @discardableResult
  public func lifetime(_ lifetime: Scope) -> ResolverOptions<Service> {
    scope(lifetime)
  }

  /// Says that the service is behind a boundary of the program, such as its network.
  ///
  /// ```swift
  /// resolver.register { CardGateway() as any PaymentGateway }.boundary("network")
  /// ```
  ///
  /// A test may refuse the live services behind boundaries, with the trait `.boundaries`. It holds
  /// for the protocols that the service implements, and for its decorations. Requests of the
  /// program are the same with it and without.
  ///
  /// - Parameter name: The name of the boundary.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func boundary(_ name: String) -> ResolverOptions<Service> {
    changed(options: { $0.boundary = name })
  }

  /// Runs a closure on a kept instance when it is released, to tear it down.
  ///
  /// It never runs in scopes that keep nothing (`.unique`, `.graph`) or keep instances weakly
  /// (`.shared`, `.perContainer(.weak)`, `.perRun(.weak)`).
  ///
  /// - Parameter tearDown: Receives the instance; it runs with no lock held.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func onRelease(
    _ tearDown: @escaping (Service) -> Void
  ) -> ResolverOptions<Service> {
    changed { details in
      let earlier = details.onRelease
      details.onRelease = { instance in
        earlier?(instance)
        tearDown(instance.value(as: Service.self))
      }
    }
  }

  /// Marks the registration as one that may go unused if it is a double.
  package func allowingNoUse() -> ResolverOptions<Service> {
    changed(options: { $0.mayBeUnused = true })
  }

  func changed(
    _ change: ((inout Maker.Details) -> Void)? = nil,
    options changeOptions: (inout Registration.Options) -> Void = { _ in }
  ) -> ResolverOptions<Service> {
    var changed = self
    changed.stored.replace(
      with: registration.changed(change, options: changeOptions), in: resolver.core)
    return changed
  }
}

/// Returns a service as what it was registered to implement; nil if it is not, or not here.
///
/// Never specialised: a cast that the compiler decides ignores that a conformance may belong to an
/// actor.
@usableFromInline @inline(never) @_optimize(none)
func converted<Service, Protocol>(_ service: Service, to type: Protocol.Type) -> Protocol? {
  service as? Protocol
}
