/// The modifiers of a factory.
///
/// In a declaration (`self { Cart() }.cached`) a modifier is part of the service's definition.
/// Elsewhere a property can be registered anew, be given contexts, and be reset
/// (`container.cart.onTest { FakeCart() }`), which changes the container and takes precedence over
/// the declaration.
public protocol FactoryModifying {
  /// The type of the parameter; `Void` for a factory without a parameter.
  associatedtype P
  /// The type of the service.
  associatedtype T
  /// The type of the closure that makes the service, with the declared parameter and isolation.
  associatedtype Closure
  /// Returns a closure in the form that is registered.
  func _form(of closure: Closure) -> FactoryRegistration<P, T>._Form
  /// The type of the closure that decorates an instance, with the declared isolation.
  associatedtype _Wrapper = (T) throws -> T
  /// Returns a decorating closure in the form that can be called anywhere.
  static func _plain(_ wrapper: _Wrapper) -> (T) throws -> T
  /// The container, the property and the settings of the factory.
  var _registration: FactoryRegistration<P, T> { get set }
}

extension FactoryModifying where _Wrapper == (T) throws -> T {
  /// Returns the closure unchanged, because it is not isolated.
  public static func _plain(_ wrapper: @escaping (T) throws -> T) -> (T) throws -> T { wrapper }
}

extension FactoryModifying {
  /// Returns the factory with a scope, which decides how long instances are kept.
  ///
  /// It belongs in the declaration. What is registered is in the scope of the factory that
  /// `register` is called on.
  ///
  /// - Parameter scope: The scope.
  /// - Returns: The factory with the scope.
  public func scope(_ scope: Scope) -> Self {
    changed {
      let scope = scope.keeping
      $0.scope = DeclaredScope(scope)
      if $0.scope == .custom { $0.settings.scope = scope }
    }
  }

  /// One instance, until the scope or the container is reset.
  @inlinable
  public var cached: Self { get { scoped(.cached) } }
  /// One instance per object graph; values are shared too.
  @inlinable
  public var graph: Self { get { scoped(.graph) } }
  /// One instance for as long as it is referenced elsewhere; class instances only.
  @inlinable
  public var shared: Self { get { scoped(.shared) } }
  /// One instance per container type and property, until `Scope.singleton.reset()`.
  @inlinable
  public var singleton: Self { get { scoped(.singleton) } }
  /// A new instance for every request.
  @inlinable
  public var unique: Self { get { scoped(.unique) } }

  @inlinable @inline(__always)
  func scoped(_ scope: DeclaredScope) -> Self {
    var copy = self
    copy._registration.declaration = _registration.declaration.scoped(scope)
    return copy
  }

  /// Returns the factory of a service behind a boundary of the program, such as its network.
  ///
  /// It belongs in the declaration: `self { CardGateway() }.boundary("network")`. A test may refuse
  /// the live services behind boundaries, with the trait `.boundaries`; requests of the program are
  /// the same with it and without.
  ///
  /// - Parameter name: The name of the boundary.
  /// - Returns: The factory.
  public func boundary(_ name: String) -> Self {
    changed { $0.settings.boundary = name }
  }

  /// Returns the factory with the time without a request after which a kept instance is replaced,
  /// such as `.seconds(60)`.
  ///
  /// The next request replaces it.
  public func timeToLive(_ duration: Duration) -> Self {
    changed { $0.settings.timeToLive = duration / .seconds(1) }
  }

  /// Returns the factory with a closure that receives every returned instance, new or kept.
  ///
  /// The container's decorator is called after it.
  ///
  /// - Parameter decorator: The closure.
  /// - Returns: The factory with the decorator.
  public func decorator(_ decorator: @escaping (_ instance: T) -> Void) -> Self {
    self.decorator { instance, _ in decorator(instance) }
  }

  /// Returns the factory with a closure that receives every returned instance, and whether it was
  /// just made.
  public func decorator(
    _ decorator: @escaping (_ instance: T, _ instantiated: Bool) -> Void
  ) -> Self {
    changed { $0.settings.decorator = { decorator($0.value(as: T.self), $1) } }
  }

  /// Resets the registration, the contexts or the kept instances of the property.
  ///
  /// - Parameter options: The state to reset.
  /// - Returns: The factory.
  @discardableResult
  public func reset(
    _ options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Self {
    _registration.declaration.reset(options, at: CodeLocation(fileID, filePath, line, column))
    return self
  }

  /// Returns the factory with a changed declaration.
  func changed(_ change: (inout Declaration) -> Void) -> Self {
    var copy = self
    change(&copy._registration.declaration)
    return copy
  }
}

// MARK: - Registering

extension FactoryModifying {
  /// Registers a closure that makes all later instances, and releases the kept ones.
  ///
  /// Inside a sandbox the registration belongs to the sandbox. The closure has the form of the
  /// declaration's: it takes the parameter if the service does, and runs on the main actor if the
  /// service belongs there.
  ///
  /// - Parameter factory: The closure that makes an instance.
  /// - Returns: The factory.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: Closure
  ) -> Self {
    registered(_form(of: factory).maker, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a closure: `container.order { FakeOrder(id: $0) }`.
  @_disfavoredOverload
  @inlinable
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: Closure
  ) {
    register(fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }

  @usableFromInline
  func registered(_ maker: Maker, at location: CodeLocation) -> Self {
    _registration.declaration.register(maker, at: location)
    return self
  }
}

// MARK: - Contexts

extension FactoryModifying {
  /// Uses a different factory in certain contexts.
  ///
  /// In a declaration it is part of the service's definition; elsewhere it applies to the container
  /// until `reset(.context)`. A double takes precedence, unless a test sets the context after it.
  /// The closure has the form of the declaration's: it takes the parameter if the service does, and
  /// runs on the main actor if the service belongs there.
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext(contexts, fileID, function, _form(of: factory))
  }

  /// Uses a different factory when the process has a launch argument.
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: Closure
  ) -> Self {
    onContext([.arg(argument)], fileID, function, _form(of: factory))
  }

  /// Uses a different factory when the process has one of several launch arguments.
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: Closure
  ) -> Self {
    onContext([.args(arguments)], fileID, function, _form(of: factory))
  }

  /// Uses a different factory in previews.
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext([.preview], fileID, function, _form(of: factory))
  }

  /// Uses a different factory in tests.
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext([.test], fileID, function, _form(of: factory))
  }

  /// Uses a different factory where the package was compiled for debugging.
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext([.debug], fileID, function, _form(of: factory))
  }

  /// Uses a different factory in simulators.
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext([.simulator], fileID, function, _form(of: factory))
  }

  /// Uses a different factory outside simulators.
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function, factory: Closure
  ) -> Self {
    onContext([.device], fileID, function, _form(of: factory))
  }

  func onContext(
    _ types: [FactoryContextType], _ fileID: StaticString, _ function: StaticString,
    _ form: FactoryRegistration<P, T>._Form
  ) -> Self {
    changed {
      $0.settings.contexts.set(types, form.maker)
      if !$0.isDeclaring(fileID, function) { $0.store(types, form.maker) }
    }
  }
}
