/// The modifiers of a factory, for use in its declaration and elsewhere.
///
/// In a declaration (`self { Cart() }.cached`) a modifier is part of the service's definition.
/// Elsewhere (`container.cart.onTest { FakeCart() }`) it changes a setting of the container, which
/// takes precedence over the declaration; the last change counts. Outside the declaration, a scope
/// property (`.cached`) only takes effect together with a `register`, before or after it.
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
  associatedtype Wrapper = (T) throws -> T
  /// Returns a decorating closure in the form that can be called anywhere.
  static func _plain(_ wrapper: Wrapper) -> (T) throws -> T
  /// The container, the property and the settings of the factory.
  var _registration: FactoryRegistration<P, T> { get set }
}

extension FactoryModifying where Wrapper == (T) throws -> T {
  /// Returns the closure unchanged, because it is not isolated.
  public static func _plain(_ wrapper: @escaping (T) throws -> T) -> (T) throws -> T { wrapper }
}

extension FactoryModifying {
  /// Sets the scope, which decides how long instances are kept.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - fileID: The caller's file, by which a declaration is recognised.
  ///   - function: The caller's function, by which a declaration is recognised.
  /// - Returns: The factory with the scope.
  @discardableResult
  public func scope(
    _ scope: Scope, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    changed { $0.setScope(scope.keeping, fileID, function) }
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

  /// Sets the number of seconds without a request after which a kept instance is replaced.
  ///
  /// The next request replaces it.
  ///
  /// - Parameters:
  ///   - seconds: The number of seconds since the last request.
  ///   - fileID: The caller's file, by which a declaration is recognised.
  ///   - function: The caller's function, by which a declaration is recognised.
  /// - Returns: The factory with the setting.
  @discardableResult
  public func timeToLive(
    _ seconds: Double, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    let change = { (settings: inout FactorySettings) in settings.timeToLive = seconds }
    return changed { $0.modify(fileID, function, declare: change) { $0.store(change) } }
  }

  /// Sets the time without a request after which a kept instance is replaced, such as
  /// `.seconds(60)`.
  ///
  /// The next request replaces it. This form is disfavoured so that `.zero` is not ambiguous.
  @_disfavoredOverload
  @discardableResult
  public func timeToLive(
    _ duration: Duration, fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    timeToLive(duration / .seconds(1), fileID: fileID, function: function)
  }

  /// Calls a closure with every instance that is returned, new or kept.
  ///
  /// A decorator that was set together with a registration (`register { … }.decorator { … }`) is
  /// called instead of this one. The container's decorator is called in either case.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, by which a declaration is recognised.
  ///   - function: The caller's function, by which a declaration is recognised.
  ///   - decorator: The closure.
  /// - Returns: The factory with the decorator.
  @discardableResult
  public func decorator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    _ decorator: @escaping (_ instance: T) -> Void
  ) -> Self {
    self.decorator(fileID: fileID, function: function) { instance, _ in decorator(instance) }
  }

  /// Calls a closure with every instance that is returned, and with whether it was just made.
  @discardableResult
  public func decorator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    _ decorator: @escaping (_ instance: T, _ instantiated: Bool) -> Void
  ) -> Self {
    let observer: InstanceObserver = { decorator($0.load(as: T.self), $1) }
    return changed {
      $0.modify(fileID, function) { settings in
        settings.decorator = observer
      } store: { property in
        if property.marks.changesContainer {
          property.setDecorator(observer)
        } else {
          property.store { $0.decorator = observer }
        }
      }
    }
  }

  /// Marks a declaration whose own contexts are reset by `reset(.context)`, too.
  ///
  /// The modifiers of any declaration apply until they are changed elsewhere, so `once` has no
  /// other effect.
  @discardableResult
  public func once() -> Self {
    changed { $0.marks.isOnce = true }
  }

  /// Resets the registration, the settings or the kept instances of the property.
  ///
  /// - Parameters:
  ///   - options: The state to reset.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
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
  /// - Parameters:
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: The closure that makes an instance.
  /// - Returns: The factory, for further modifiers, which apply to the registration.
  @_disfavoredOverload
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: Closure
  ) -> Self {
    registered(_form(of: factory).maker, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a closure: `container.order { FakeOrder(id: $0) }`.
  @_disfavoredOverload
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: Closure
  ) {
    register(fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }

  @usableFromInline
  func registered(_ maker: Maker, at location: CodeLocation) -> Self {
    _registration.declaration.register(maker, at: location)
    return changed { $0.marks.changesContainer = true }
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
      $0.modify(fileID, function) { settings in
        settings.set(types, form.maker)
      } store: { property in
        let isDouble = RegistrationTarget.current(for: property.core).isForDoubles
        property.store { settings in
          settings.set(types, form.maker, number: SerialNumber.next(), isDouble: isDouble)
        }
      }
    }
  }
}
