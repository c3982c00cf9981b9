internal import DIPrimitives

/// The container, the property and the settings of a factory of any kind.
@frozen
public struct FactoryRegistration<P, T>: Sendable {
  // Factories are made anew at each access, in the code that declares them. So the fields are
  // plain, and the short path is inlinable. With the closure of a `Factory` there are six: a struct
  // of more fields is destroyed through its metadata, for some 10 ns.

  /// The object that keeps the manager alive.
  ///
  /// It is a `Container` itself, which saves counting a reference where it was just made or read,
  /// or the manager of any other container, which might replace its own.
  // Either is Sendable.
  @usableFromInline let owner: Unchecked<AnyObject>
  @usableFromInline let managed: Unmanaged<ContainerManager>
  @usableFromInline let property: Unmanaged<PropertyKey>
  @usableFromInline var marks: FactoryMarks
  /// The settings of the declaration besides its factory and a well-known scope.
  // Never changed once made; the closures in it are the user's.
  @usableFromInline var declared: Unchecked<DeclaredSettings>?

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ location: CodeLocation, _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    owner = Unchecked(C.self == Resolver.self ? container : manager)
    managed = Unmanaged.passUnretained(manager)
    // The two are one literal in most declarations, which the compiler sees.
    property =
      key.isSameLiteral(as: function)
      ? manager.property(container, T.self, key, location)
      : manager.property(container, T.self, key, location, in: function)
    marks = FactoryMarks()
    declared = nil
  }

  @inlinable @inline(__always)
  init(_ other: FactoryRegistration, _ marks: FactoryMarks) {
    owner = other.owner
    managed = other.managed
    property = other.property
    self.marks = marks
    declared = other.declared
  }

  /// Returns the registration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ scope: DeclaredScope) -> FactoryRegistration {
    var marks = marks
    marks.scope = scope
    let scoped = FactoryRegistration(self, marks)
    if marks.isStored { scoped.storeScope() }
    return scoped
  }

  var core: ContainerCore { managed.takeUnretainedValue().core }
  var key: PropertyKey { property.takeUnretainedValue() }

  /// The key of requests for the property.
  package var serviceKey: ServiceKey { ServiceKey(T.self, property: key) }

  var settings: FactorySettings {
    get { declared?.value.value ?? FactorySettings() }
    set { declared = Unchecked(DeclaredSettings(newValue)) }
  }

  /// The property, with the factory that it declares: nil if another module registers that, or if
  /// nothing is requested.
  func declared(_ recipe: Recipe? = nil) -> DeclaredProperty {
    DeclaredProperty(
      manager: managed.takeUnretainedValue(), property: key, type: T.self,
      takesParameter: P.self != Void.self, recipe: recipe, marks: marks,
      settings: declared?.value)
  }

  /// Returns the recipe of a closure that takes the property's parameter.
  func recipe(_ make: @escaping (P) throws -> T) -> Recipe {
    Recipe(make, isOptional: key.isOptional)
  }
}

// MARK: - Modifiers

extension FactoryRegistration {
  /// Returns whether a modifier is called by the declaration itself.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !marks.isStored && function.isSame(as: key.function) && fileID.isSame(as: key.fileID)
  }

  /// Applies a modifier to the factory, and unless the declaration calls it, to the container too.
  mutating func modify(
    _ fileID: StaticString, _ function: StaticString,
    declare change: (inout FactorySettings) -> Void,
    store: (DeclaredProperty) -> Void
  ) {
    change(&settings)
    if !isDeclaring(fileID, function) { store(declared()) }
  }

  mutating func setScope(_ scope: Scope, _ fileID: StaticString, _ function: StaticString) {
    let before = self
    marks.scope = DeclaredScope(scope)
    if marks.scope == .custom { settings.scope = scope }
    // Elsewhere it is a setting of the container: the declared scope remains.
    if !isDeclaring(fileID, function) { before.declared().setScope(scope) }
  }

  /// Stores the scope that was named after `register`.
  @usableFromInline
  func storeScope() {
    let property = declared()
    property.setScope(property.declaredScope)
  }

  /// Allows the double that was registered for the property to remain unused.
  package func allowNoUse() { declared().allowNoUse() }

  /// Registers a decoration that applies `transform` to the instance that there is without it.
  package func decorate(at location: CodeLocation, _ transform: @escaping (T) throws -> T) {
    declared().decorate(at: location, transform)
  }
}

// MARK: - Requests

extension FactoryRegistration where P == Void {
  /// Returns the instance that is kept for the property, if the short path finds one.
  @inlinable @inline(__always)
  func kept(_ location: CodeLocation) -> T? {
    withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      return withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
        let request = memory.baseAddress.unsafelyUnwrapped
        request.initialize(to: Request(T.self, property, location: location))
        let isKept = ContainerManager.copyKept(
          owner.value, managed, request, marks, declared?.value, to: UnsafeMutableRawPointer(out))
        return isKept ? out.move() : nil
      }
    }
  }

  /// Puts the instance for the property into memory, on the general path, or traps.
  ///
  /// `plain` calls `make`, in a form that does not check for nil.
  @usableFromInline
  func answerOrTrap(
    _ plain: Make<T>, _ make: @escaping () throws -> T, _ location: CodeLocation,
    to out: UnsafeMutableRawPointer
  ) {
    // A nil result is no instance.
    let recipe = key.isOptional ? recipe { _ in try make() } : Recipe(plain)
    do {
      try declared(recipe).deliver(nil, location, to: out)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for the property, on the general path.
  func answer(_ make: @escaping () throws -> T, _ location: CodeLocation) throws -> T {
    try answer((), { _ in try make() }, location)
  }
}

extension FactoryRegistration {
  /// Returns the instance for the property and a parameter, on the general path.
  @inline(never)
  func answer(
    _ parameter: P, _ make: @escaping (P) throws -> T, _ location: CodeLocation
  ) throws -> T {
    let property = declared(recipe(make))
    return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let service = memory.baseAddress.unsafelyUnwrapped
      let out = UnsafeMutableRawPointer(service)
      // A recursion with parameters may end; one without is a cycle.
      if P.self == Void.self {
        try property.deliver(nil, location, to: out)
      } else {
        try withUnsafePointer(to: parameter as Any) {
          try property.deliver($0, location, to: out)
        }
      }
      return service.move()
    }
  }

  /// Returns the instance; throws if it is nil and the service was promised.
  func required(_ service: T, _ location: CodeLocation) throws -> T {
    guard marks.isPromise, (service as? any OptionalType)?.content == nil else { return service }
    let property = declared()
    throw ResolutionError.notRegistered(
      property.request(location), asked: property.manager.resolver)
  }

  /// Returns the wrapped instance of an optional; throws if there is none.
  func wrapped<Wrapped>(_ service: T, _ location: CodeLocation) throws -> Wrapped
  where T == Wrapped? {
    if let service { return service }
    throw declared().failure(location)
  }
}

extension FactoryRegistration {
  /// The number of parameters with an entry in the current context, with an instance or without.
  package var parameterCount: Int {
    let frame = ContextFrame.current
    let property = declared()
    let entry =
      property.registered(frame, below: nil)?.registration
      ?? property.declared(property.outside(frame), frame)
    return entry.keeper?.own(in: frame?.cacheFrame(for: entry.scope))?.byParameter.count ?? 0
  }
}

extension StaticString {
  /// Returns whether it is the same literal, or one of the same characters at the same address.
  @inlinable @inline(__always)
  func isSameLiteral(as other: StaticString) -> Bool {
    hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start
  }

  fileprivate func isSame(as text: String) -> Bool {
    guard hasPointerRepresentation else { return description == text }
    var text = text
    return text.withUTF8 { text in
      text.count == utf8CodeUnitCount && di_same_bytes(text.baseAddress, utf8Start, text.count)
    }
  }
}
