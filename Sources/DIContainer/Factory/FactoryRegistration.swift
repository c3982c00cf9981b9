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
  @usableFromInline let place: Unmanaged<Declaration>
  /// The scope's code in the lower bits, then the flags.
  @usableFromInline var bits: UInt8
  // Never changed once made; the closures in it are the user's.
  @usableFromInline var extras: Unchecked<FactoryExtras>?

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ location: CodeLocation, _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    owner = Unchecked(C.self == Resolver.self ? container : manager)
    managed = Unmanaged.passUnretained(manager)
    // The two are one literal in most declarations, which the compiler sees.
    place =
      key.isSameLiteral(as: function)
      ? manager.declaration(container, T.self, key, location)
      : manager.declaration(container, T.self, key, location, in: function)
    bits = 0
    extras = nil
  }

  @inlinable @inline(__always)
  init(_ other: FactoryRegistration, bits: UInt8) {
    owner = other.owner
    managed = other.managed
    place = other.place
    self.bits = bits
    extras = other.extras
  }

  /// Returns the registration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ code: UInt8) -> FactoryRegistration {
    let scoped = FactoryRegistration(self, bits: bits & ~DeclaredScope.mask | code)
    if isStored { scoped.storeScope() }
    return scoped
  }

  var core: ContainerCore { managed.takeUnretainedValue().core }
  var declaration: Declaration { place.takeUnretainedValue() }

  /// The key of requests for the property.
  package var serviceKey: ServiceKey { ServiceKey(T.self, property: declaration.property) }

  /// Whether it was promised, so that a request before it is registered may be an error.
  var isPromise: Bool {
    get { bits & 0x10 != 0 }
    set { bits = newValue ? bits | 0x10 : bits & ~0x10 }
  }

  /// Whether `reset(.context)` also resets the declaration's own contexts.
  var isOnce: Bool {
    get { bits & 0x20 != 0 }
    set { bits = newValue ? bits | 0x20 : bits & ~0x20 }
  }

  /// Whether further modifiers change the container's settings, as after `register`.
  @inlinable var isStored: Bool {
    get { bits & 0x40 != 0 }
    set { bits = newValue ? bits | 0x40 : bits & ~0x40 }
  }

  /// The part of the declaration besides its factory and a well-known scope.
  var details: DeclaredDetails {
    get { extras?.value.details ?? DeclaredDetails() }
    set { extras = Unchecked(FactoryExtras(newValue)) }
  }

  /// The property, with the factory that it declares: nil if another module registers that, or if
  /// nothing is requested.
  func property(_ maker: Maker? = nil) -> DeclaredProperty {
    DeclaredProperty(
      manager: managed.takeUnretainedValue(), declaration: declaration, type: T.self,
      takesParameter: P.self != Void.self, maker: maker,
      scopeCode: bits & DeclaredScope.mask, extras: extras?.value, isPromise: isPromise,
      isOnce: isOnce)
  }

  /// Returns the maker of a closure that takes the property's parameter.
  func maker(_ make: @escaping (P) throws -> T) -> Maker {
    Maker(make, isOptional: declaration.isOptional)
  }
}

// MARK: - Modifiers

extension FactoryRegistration {
  /// Returns whether a modifier is called by the declaration itself.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !isStored && function.isSame(as: declaration.function)
      && fileID.isSame(as: declaration.property.fileID)
  }

  /// Applies a modifier to the factory, and unless the declaration calls it, to the container too.
  mutating func modify(
    _ fileID: StaticString, _ function: StaticString,
    declare change: (inout FactorySettings) -> Void,
    store: (DeclaredProperty) -> Void
  ) {
    change(&details.settings)
    if !isDeclaring(fileID, function) { store(property()) }
  }

  mutating func setScope(_ scope: Scope, _ fileID: StaticString, _ function: StaticString) {
    let before = self
    let code = DeclaredScope.code(of: scope)
    bits = bits & ~DeclaredScope.mask | code
    if code == DeclaredScope.custom { details.scope = scope }
    // Elsewhere it is a setting of the container: the declared scope remains.
    if !isDeclaring(fileID, function) { before.property().setScope(scope) }
  }

  /// Stores the scope that was named after `register`.
  @usableFromInline
  func storeScope() {
    let property = property()
    property.setScope(property.declaredScope)
  }

  /// Allows the double that was registered for the property to remain unused.
  package func allowNoUse() { property().allowNoUse() }

  /// Registers a decoration that applies `transform` to the instance that there is without it.
  package func decorate(at location: CodeLocation, _ transform: @escaping (T) throws -> T) {
    property().decorate(at: location, transform)
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
        request.initialize(to: Request(T.self, place, location: location))
        let isKept = ContainerManager.copyKept(
          owner.value, managed, request, bits, extras?.value, to: UnsafeMutableRawPointer(out))
        return isKept ? out.move() : nil
      }
    }
  }

  /// Puts the instance for the property into memory, on the general path, or traps.
  ///
  /// `plain` calls `declared`, in a form that does not check for nil.
  @usableFromInline
  func answerOrTrap(
    _ plain: Maker, _ declared: @escaping () throws -> T, _ location: CodeLocation,
    to out: UnsafeMutableRawPointer
  ) {
    // A nil result is no instance.
    let maker = declaration.isOptional ? maker { _ in try declared() } : plain
    do {
      try property(maker).answer(nil, location, to: out)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for the property, on the general path.
  func answer(_ declared: @escaping () throws -> T, _ location: CodeLocation) throws -> T {
    try answer((), { _ in try declared() }, location)
  }
}

extension FactoryRegistration {
  /// Returns the instance for the property and a parameter, on the general path.
  @inline(never)
  func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ location: CodeLocation
  ) throws -> T {
    let property = property(maker(declared))
    return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let service = memory.baseAddress.unsafelyUnwrapped
      let out = UnsafeMutableRawPointer(service)
      // A recursion with parameters may end; one without is a cycle.
      if P.self == Void.self {
        try property.answer(nil, location, to: out)
      } else {
        try withUnsafePointer(to: parameter as Any) {
          try property.answer($0, location, to: out)
        }
      }
      return service.move()
    }
  }

  /// Returns the instance; throws if it is nil and the service was promised.
  func required(_ service: T, _ location: CodeLocation) throws -> T {
    guard isPromise, (service as? any OptionalType)?.content == nil else { return service }
    let property = property()
    throw ResolutionError.notRegistered(
      property.request(location), asked: property.manager.resolver)
  }

  /// Returns the wrapped instance of an optional; throws if there is none.
  func wrapped<Wrapped>(_ service: T, _ location: CodeLocation) throws -> Wrapped
  where T == Wrapped? {
    if let service { return service }
    throw property().failure(location)
  }
}

extension FactoryRegistration {
  /// The number of parameters with an entry in the current context, with an instance or without.
  package var parameterCount: Int {
    let frame = ContextFrame.current
    let property = property()
    let entry =
      property.registered(frame, below: nil)?.registration
      ?? property.declared(property.settings(frame), frame)
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
