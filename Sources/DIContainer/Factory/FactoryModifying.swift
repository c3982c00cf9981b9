/// The modifiers of a factory, for use in its declaration and from outside.
///
/// In a declaration (`self { Cart() }.cached`) a modifier describes the service. Called from
/// elsewhere (`container.cart.onTest { FakeCart() }`) it changes a setting of the container, which
/// wins over the declaration; the last change counts. From outside, a scope named by one of the
/// properties (`.cached`) only takes effect together with a `register`, before or after it.
public protocol FactoryModifying {
  /// The type of the parameter; `Void` for factories without.
  associatedtype P
  /// The type of the service.
  associatedtype T
  /// What makes the service: a closure with the declared parameter and isolation.
  associatedtype Closure
  /// A closure as one that takes the parameter, wherever it runs.
  static func body(of closure: Closure) -> (P) throws -> T
  /// What makes a double of the instance that it wraps, with the declared isolation.
  associatedtype Wrapper = (T) throws -> T
  /// A wrapper as one that runs wherever it is called.
  static func plain(_ wrapper: Wrapper) -> (T) throws -> T
  /// The factory's container and property, and its settings.
  var registration: FactoryRegistration<P, T> { get set }
}

extension FactoryModifying where Wrapper == (T) throws -> T {
  /// The wrapper as it is: it is not isolated.
  public static func plain(_ wrapper: @escaping (T) throws -> T) -> (T) throws -> T { wrapper }
}

extension FactoryModifying {
  /// Chooses how long an instance is kept, and by whom.
  @discardableResult
  public func scope(
    _ scope: Scope, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    var copy = self
    copy.registration.setScope(scope.keeping, fileID, function)
    return copy
  }

  /// One instance, until the scope or the container is reset.
  @inlinable
  public var cached: Self { get { scoped(DeclaredScope.cached) } }
  /// One instance per resolution cycle; values are shared too.
  @inlinable
  public var graph: Self { get { scoped(DeclaredScope.graph) } }
  /// One instance for as long as somebody holds it; class instances only.
  @inlinable
  public var shared: Self { get { scoped(DeclaredScope.shared) } }
  /// One instance per container type and property, until `Scope.singleton.reset()`.
  @inlinable
  public var singleton: Self { get { scoped(DeclaredScope.singleton) } }
  /// A new instance for every request.
  @inlinable
  public var unique: Self { get { scoped(DeclaredScope.unique) } }

  @inlinable @inline(__always)
  func scoped(_ code: UInt8) -> Self {
    var copy = self
    copy.registration = registration.scoped(code)
    return copy
  }

  /// Forgets a kept instance that has not been asked for in a number of seconds.
  @discardableResult
  public func timeToLive(
    _ seconds: Double, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    modified(fileID, function) { $0.timeToLive = seconds }
  }

  /// Forgets a kept instance that has not been asked for in a time, such as `.seconds(60)`.
  ///
  /// It is disfavored so that `.zero` means the same in either form.
  @_disfavoredOverload
  @discardableResult
  public func timeToLive(
    _ duration: Duration, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    timeToLive(duration / .seconds(1), fileID: fileID, function: function)
  }

  /// Calls a closure with every instance that is handed out, new or kept.
  ///
  /// A decorator that was set together with a registration is called in its place. The container's
  /// decorator is called in either case.
  @discardableResult
  public func decorator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    _ decorator: @escaping (_ instance: T) -> Void
  ) -> Self {
    self.decorator(fileID: fileID, function: function) { instance, _ in decorator(instance) }
  }

  /// Calls a closure with every instance that is handed out, and whether it was just made.
  @discardableResult
  public func decorator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    _ decorator: @escaping (_ instance: T, _ instantiated: Bool) -> Void
  ) -> Self {
    let isOfRegistration = registration.isStored
    return modified(fileID, function) {
      $0.decorator = decorator
      $0.decoratorIsOfRegistration = isOfRegistration
    }
  }

  /// Marks a declaration whose modifiers hold until they are changed from outside.
  ///
  /// That is how all modifiers work here; `reset(.context)` takes such a declaration's contexts
  /// back as well.
  @discardableResult
  public func once() -> Self {
    var copy = self
    copy.registration.isOnce = true
    return copy
  }

  /// Takes back what was registered, set or kept.
  @discardableResult
  public func reset(
    _ options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Self {
    registration.reset(
      options, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  private func modified(
    _ fileID: StaticString, _ function: StaticString,
    _ change: (inout FactorySettings<P, T>) -> Void
  ) -> Self {
    var copy = self
    copy.registration.modify(fileID, function, declare: change, store: change)
    return copy
  }
}

// MARK: - Contexts

extension FactoryModifying {
  func onContext(
    _ types: [FactoryContextType], _ fileID: StaticString, _ function: StaticString,
    _ factory: @escaping (P) throws -> T
  ) -> Self {
    var copy = self
    copy.registration.modify(fileID, function) { settings in
      for type in types { settings.set(type, factory) }
    } store: { settings in
      for type in types { settings.set(type, factory) }
      settings.contextNumber = Registration.nextID()
      settings.contextsAreDoubles =
        RegistrationTarget.current(for: registration.core).isForDoubles
    }
    return copy
  }
}

extension FactoryModifying where P == Void, Closure == () throws -> T {
  /// Makes the service with another closure in certain contexts.
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function, factory: @escaping () throws -> T
  ) -> Self {
    onContext(contexts, fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure when the process has an argument.
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.arg(argument)], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure when the process has one of several arguments.
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.args(arguments)], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure in previews.
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.preview], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure in tests.
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.test], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure where the package was compiled for debugging.
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.debug], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure in simulators.
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.simulator], fileID, function) { _ in try factory() }
  }

  /// Makes the service with another closure outside simulators.
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping () throws -> T
  ) -> Self {
    onContext([.device], fileID, function) { _ in try factory() }
  }
}
