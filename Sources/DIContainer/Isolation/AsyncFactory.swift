/// An async service that a container declares as a property.
///
/// ```swift
/// extension Container {
///   var catalog: AsyncFactory<any Catalog> { self { try await RemoteCatalog.load() }.singleton }
/// }
///
/// let catalog = try await Container.shared.catalog()
/// Container.shared.catalog.register { LocalCatalog() }
/// ```
///
/// The declared type of the property selects it. The closure may throw, and may be isolated to an
/// actor. A kept instance is built once for all concurrent requests, as with `registerAsync`. A
/// double may be made by a sync closure.
@frozen
public struct AsyncFactory<T: Sendable>: FactoryModifying, Sendable {
  /// The parameter type of a factory without a parameter.
  public typealias P = Void

  /// The container, the property and the settings of the factory.
  public var registration: FactoryRegistration<Void, T>
  @usableFromInline let factory: (@Sendable () async throws -> T)?

  /// Declares a service; an alias for `self { … }` in a container.
  ///
  /// - Parameters:
  ///   - container: The container that declares it.
  ///   - key: The identifier of the service in its container; the property's name unless given.
  ///   - function: The property's name, even if a key is given.
  ///   - fileID: The property's file.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  ///   - factory: The closure that makes an instance, unless another one is registered; nil if
  ///     another module is to register one.
  @inlinable @inline(__always)
  public init<C: ManagedContainer>(
    _ container: C, key: StaticString = #function,
    function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ factory: (@Sendable () async throws -> T)?
  ) {
    registration = FactoryRegistration(
      container,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), key, function)
    self.factory = factory
  }

  /// Returns the instance, or throws a diagnosis when there is none.
  @inlinable
  public nonisolated(nonsending) func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> T {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if let kept = registration.kept(location) { return kept }
    return try await requireLater(location)
  }

  @usableFromInline
  nonisolated(nonsending) func requireLater(
    _ location: CodeLocation
  ) async throws(ResolutionError) -> T {
    do {
      return try await registration.answer(later: factory, location, isPatient: false)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Returns the instance, or throws a diagnosis when there is none; an alias for calling the
  /// factory.
  @inlinable
  public nonisolated(nonsending) func require(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> T {
    try await callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the instance, or traps with a diagnosis when it cannot be resolved.
  ///
  /// It ignores that its task is cancelled, and waits for the build to end.
  @inlinable
  public nonisolated(nonsending) func resolve(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> T {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if let kept = registration.kept(location) { return kept }
    return await resolveLater(location)
  }

  @usableFromInline
  nonisolated(nonsending) func resolveLater(_ location: CodeLocation) async -> T {
    do {
      return try await registration.answer(later: factory, location, isPatient: true)
    } catch {
      trap(error)
    }
  }

  /// Registers a sync closure that makes all later instances, and releases the kept ones.
  ///
  /// Inside a sandbox the registration belongs to the sandbox.
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> T
  ) -> Self {
    stored(
      factory, CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers an async closure that makes all later instances, and releases the kept ones.
  @_disfavoredOverload
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    stored(
      Self.waiting(factory),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers a sync closure: `container.catalog { LocalCatalog() }`.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> T
  ) {
    register(fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }

  /// Returns a sync closure in the form that takes an empty parameter.
  public static func body(of closure: @escaping () throws -> T) -> (()) throws -> T {
    { _ in try closure() }
  }

  /// Returns an async closure in the form of a sync one, which makes the request wait for it.
  static func waiting(_ factory: @escaping @Sendable () async throws -> T) -> () throws -> T {
    { throw Later(make: factory) }
  }

  private func stored(_ make: @escaping () throws -> T, _ location: CodeLocation) -> Self {
    registration.register({ _ in try make() }, plain: .plain(make), at: location)
    var copy = self
    copy.registration.isStored = true
    return copy
  }
}

/// An error that an async closure throws in place of a result, so that the request awaits it.
private struct Later<T>: Error, CustomStringConvertible {
  let make: @Sendable () async throws -> T
  var description: String { "it is async, and was asked without `await`" }
}

extension FactoryRegistration where P == Void, T: Sendable {
  /// Returns the instance for the property; the counterpart of the sync `answer`.
  fileprivate nonisolated(nonsending) func answer(
    later declared: (@Sendable () async throws -> T)?, _ location: CodeLocation,
    isPatient: Bool
  ) async throws -> T {
    Startup.runIfNeeded()
    // The factory may have been made before a reset.
    core.factories.prepareLate(manager.resolver, core)
    let asked = manager.resolver
    let request = request(location)
    let frame = withUnsafePointer(to: request) { ContextFrame.answering($0, asked: asked) }
    let choice = choose(
      { _ in
        guard let declared else { throw ResolutionError.notRegistered(request, asked: asked) }
        throw Later(make: declared)
      }, frame
    ) { below, _, decoration in
      let (below, decoration) = (Unchecked(below), Unchecked(decoration))
      throw Later {
        let live = try await produce(
          below.value, self.request(decoration.value.location), ContextFrame.current,
          isPatient: false)
        return try decoration.value.transform(live)
      }
    }
    if frame?.waitsForMain(choice.found, request, asked: asked) ?? false {
      return try await standInOnMain(Unchecked(choice.found), Unchecked(request), asked: asked)
    }
    if let double: T = try choice.found.standIn(request, asked: asked, frame) {
      return double
    }
    return try await produce(choice, request, frame, isPatient: isPatient)
  }

  // The values are used by this function alone, and the caller waits.
  @MainActor private func standInOnMain(
    _ found: Unchecked<Found>, _ request: Unchecked<Request>, asked: Resolver
  ) throws -> T {
    let frame = withUnsafePointer(to: request.value) { ContextFrame.answering($0, asked: asked) }
    if let double: T = try found.value.standIn(request.value, asked: asked, frame) {
      return double
    }
    throw ResolutionError.fallbackNeedsMain(request.value)
  }

  private nonisolated(nonsending) func produce(
    _ choice: Choice, _ request: Request, _ frame: ContextFrame?, isPatient: Bool
  ) async throws -> T {
    let asked = manager.resolver
    let holder = choice.holder
    let found = choice.found
    if let base = holder.slot, let seconds = choice.timeToLive {
      forget(base, of: choice, askedLast: seconds, frame?.cacheFrame(for: holder.scope))
    }
    // The registration made for the request only represents the one that is used.
    holder.noteResolved()
    let registration = registration(for: choice)
    let made = try await AsyncEngine.produce(
      AsyncRequest(
        request: request, args: nil, asked: asked, isPatient: isPatient,
        found: Found(
          registration: registration, owner: found.owner, isDouble: found.isDouble),
        frame: frame), recordedAs: found)
    guard let service = made.box.flatMap({ $0.load(as: T.self) }) else {
      throw ResolutionError.factoryReturnedNil(request, registration, asked: asked)
    }
    choice.decorator?(service, made.wasCreated)
    core.factories.decorator(core, frame)?(service)
    return service
  }

  private func registration(for choice: Choice) -> Registration {
    var recipe = Recipe(Make<T>.plain { try choice.make(()) })
    let make = Unchecked(choice.make)
    recipe.details.home = .task
    recipe.details.makeAsync = { _, _ in
      do {
        return Unchecked(StrongBox(try make.value(())))
      } catch let later as Later<T> {
        return Unchecked(StrongBox(try await later.make()))
      }
    }
    let holder = choice.holder
    return Registration(
      id: holder.id, key: ServiceKey(T.self, property: declaration.property),
      scope: holder.scope, location: holder.location, recipe: recipe, slot: holder.slot,
      options: holder.options)
  }
}

extension ManagedContainer {
  /// Declares an async service, in a property of type `AsyncFactory`.
  ///
  /// The closure is optional only because the compiler (6.3.1) would otherwise crash on
  /// `Resolver { r in … }` in an async function. Nil declares a service that another module is to
  /// register.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func callAsFunction<T: Sendable>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: (@Sendable () async throws -> T)?
  ) -> AsyncFactory<T> {
    AsyncFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares an async service; an alias for `self { … }`.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func makes<T: Sendable>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: (@Sendable () async throws -> T)?
  ) -> AsyncFactory<T> {
    AsyncFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }
}
