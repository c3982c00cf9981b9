/// The container, the property and the settings of a factory of any kind.
@frozen
public struct FactoryRegistration<P, T>: Sendable {
  @usableFromInline var declaration: Declaration

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ location: CodeLocation, _ key: StaticString, _ function: StaticString
  ) {
    declaration = Declaration(
      container, T.self, takesParameter: P.self != Void.self, location, key, function)
  }

  @inlinable @inline(__always)
  init(_ declaration: Declaration) { self.declaration = declaration }

  /// The key of requests for the property.
  package var serviceKey: ServiceKey { declaration.key }

  /// Returns the maker of a closure that takes the property's parameter.
  func maker(_ make: @escaping (P) throws -> T) -> Maker {
    Maker(make, isOptional: declaration.property.isOptional)
  }

  /// A closure in the form that is registered.
  @frozen
  public struct _Form {
    @usableFromInline package let maker: Maker

    @inlinable
    init(_ maker: Maker) { self.maker = maker }
  }

  /// Allows the double that was registered for the property to remain unused.
  package func allowNoUse() { declaration.allowNoUse() }

  /// Registers a decoration that applies `transform` to the instance that there is without it.
  package func decorate(at location: CodeLocation, _ transform: @escaping (T) throws -> T) {
    declaration.decorate(at: location, transform)
  }
}

// MARK: - Requests

extension FactoryRegistration where P == Void {
  /// Returns the instance that is kept for the property, if the short path finds one.
  @inlinable @inline(__always)
  func kept() -> T? { declaration.kept()?.value(as: T.self) }
}

extension DeclaredProperty {
  /// Returns the instance for the property, on the general path, or traps.
  @usableFromInline
  func instanceOrTrap(_ location: CodeLocation) -> Instance {
    do {
      return try instance(nil, location)
    } catch {
      trap(error)
    }
  }
}

extension FactoryRegistration {
  /// Returns the instance for the property, and a parameter if it takes one, on the general path.
  @inline(never)
  func instance(_ maker: Maker, _ location: CodeLocation, _ parameter: Any? = nil) throws -> T {
    try DeclaredProperty(declaration, maker).instance(parameter, location).value(as: T.self)
  }

  /// Returns the instance; throws if it is nil and the service was promised, or if it is a double
  /// that stands in for a live boundary which the test refuses.
  func required(_ service: T, _ maker: Maker, _ location: CodeLocation) throws -> T {
    if Boundary.mayBeRefused {
      try Boundary.check(
        DeclaredProperty(declaration, maker).request(location), container: declaration.container)
    }
    if declaration.settings.isPromise, isNil(service) { throw failure(maker, location) }
    return service
  }

  /// Returns the reason why there is no instance.
  func failure(_ maker: Maker, _ location: CodeLocation) -> ResolutionError {
    Resolution.failure(
      DeclaredProperty(declaration, maker).request(location), container: declaration.container)
  }
}
