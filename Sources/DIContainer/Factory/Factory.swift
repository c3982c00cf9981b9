/// A service that a container declares as a property, and the way to ask for it.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() }.cached }
/// }
///
/// let payments = Container.shared.payments()
/// Container.shared.payments.register { FakePayments() }
/// ```
///
/// A factory is a description that is made anew at each access; it holds its container's
/// registrations, not the container. A property is identified by its container, its file and name,
/// and the service's type, so two properties of one name are never mixed up.
@frozen
public struct Factory<T>: FactoryModifying {
  /// Factories without a parameter.
  public typealias P = Void

  /// The factory's container and property, and its settings.
  public var registration: FactoryRegistration<Void, T>
  @usableFromInline let factory: Unchecked<() throws -> T>

  /// Declares a service; the same as `self { … }` in a container.
  ///
  /// - Parameters:
  ///   - container: The container that declares it.
  ///   - key: Identifies the service in its container; the property's name unless given.
  ///   - function: The property's name, also where a key is given.
  ///   - fileID: The property's file.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  ///   - factory: Makes an instance, unless something else is registered.
  @inlinable @inline(__always)
  public init<C: ManagedContainer>(
    _ container: C, key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ factory: @escaping () throws -> T
  ) {
    registration = FactoryRegistration(
      container,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), key, function)
    self.factory = Unchecked(factory)
  }

  @inlinable @inline(__always)
  init(registration: FactoryRegistration<Void, T>, factory: Unchecked<() throws -> T>) {
    self.registration = registration
    self.factory = factory
  }

  /// The instance; traps with a diagnosis when it cannot be had.
  @inlinable
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      return withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
        let request = memory.baseAddress.unsafelyUnwrapped
        request.initialize(
          to: Request(
            T.self, registration.place,
            location: CodeLocation(
              fileID: fileID, filePath: filePath, line: line, column: column)))
        let make = factory.value
        let isAnswered = ContainerManager.deliverOrTrap(
          registration.owner.value, registration.managed, request, registration.bits,
          registration.extras?.value, to: UnsafeMutableRawPointer(out)
        ) {
          $0.initializeMemory(as: T.self, to: try make())
          return true
        }
        return isAnswered ? out.move() : slowly(request)
      }
    }
  }

  @inline(never) @usableFromInline
  func slowly(_ request: UnsafePointer<Request>) -> T {
    do {
      return try registration.answer(factory.value, request.pointee.location)
    } catch {
      trap(error)
    }
  }

  /// The instance where no optional is asked for; traps when there is none.
  @_disfavoredOverload
  public func callAsFunction<Wrapped>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Wrapped where T == Wrapped? {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try registration.wrapped(registration.answer(factory.value, location), location)
    } catch {
      trap(error)
    }
  }

  /// The instance; the same as calling the factory.
  @inlinable
  public func resolve(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The instance, or an error that says why there is none.
  ///
  /// Throws what the closure throws, also by way of the `require()`s in it. A dependency that the
  /// closure asks for in another way traps when it cannot be had. A service that was promised and
  /// never registered is an error.
  public func require(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> T {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try registration.required(registration.answer(factory.value, location), location)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Registers a closure that makes the instances from now on, and forgets what was kept.
  ///
  /// Inside a sandbox it belongs to the sandbox.
  @inlinable
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> T
  ) -> Self {
    // Put together here, where the service's type is known; see `Build`.
    let plain = Make<T> { memory, _, _ in
      memory.initializeMemory(as: T.self, to: try factory())
      return true
    }
    return register(
      plain, factory,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  @usableFromInline
  func register(
    _ plain: Make<T>, _ factory: @escaping () throws -> T, at location: CodeLocation
  ) -> Self {
    registration.register({ _ in try factory() }, plain: plain, at: location)
    var copy = self
    copy.registration.isStored = true
    return copy
  }

  /// Registers a closure: `container.payments { FakePayments() }`.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> T
  ) {
    register(fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }
}

extension Factory {
  /// The closure as one that takes nothing for a parameter.
  public static func body(of closure: @escaping () throws -> T) -> (()) throws -> T {
    { _ in try closure() }
  }
}

// The same as those of all factories, put together from the parts: a copy of the whole, which the
// declaration of a kept service would make at each access, costs some 10 ns.
extension Factory {
  /// One instance, until the scope or the container is reset.
  @inlinable
  public var cached: Self { with(DeclaredScope.cached) }
  /// One instance per resolution cycle; values are shared too.
  @inlinable
  public var graph: Self { with(DeclaredScope.graph) }
  /// One instance for as long as somebody holds it; class instances only.
  @inlinable
  public var shared: Self { with(DeclaredScope.shared) }
  /// One instance per container type and property, until `Scope.singleton.reset()`.
  @inlinable
  public var singleton: Self { with(DeclaredScope.singleton) }

  @inlinable @inline(__always)
  func with(_ code: UInt8) -> Self {
    Factory(registration: registration.scoped(code), factory: factory)
  }
}

extension Factory: Sendable where T: Sendable {}

extension Factory where T: Sendable {
  /// The instance, resolved on the main actor.
  @MainActor
  public func resolveOnMainActor(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    resolve(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The instance, resolved on an actor.
  public func resolveOnGlobalActor(
    _ isolation: isolated any Actor, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> T {
    resolve(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
