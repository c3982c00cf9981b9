internal import DIPrimitives

// A service declared as a property is a registration like any other, whose key is the property.
// Beside it, a container has two more entries for a property (`PropertyEntry`): one for what the
// property itself declares, made at its first use, which keeps the instances of the declared
// factory, and one for the settings that are made outside the declaration. The declared factory is
// not stored, for it would hold the container: each request brings it along.
//
// A request is served by the first of these:
//
//   1. a context that a test set after it registered a double;
//   2. a double that was registered for the property;
//   3. a context: one set outside the declaration, then one of the declaration;
//   4. another registration for the property;
//   5. the declaration.
//
// Most requests take the short path in ContainerManager+ShortPath.swift.

/// A property that declares a service, as its container and the declaring code describe it.
@usableFromInline
package final class DeclaredProperty {
  let manager: ContainerManager
  let declaration: Declaration
  let type: Any.Type
  let takesParameter: Bool
  /// The declared factory; nil if another module is to register one.
  let maker: Maker?
  /// The code of the declared scope; see `DeclaredScope`.
  let scopeCode: UInt8
  /// The declaration's settings besides its factory and a well-known scope; nil in most.
  let extras: FactoryExtras?
  /// Whether it was promised, so that a request before it is registered may be an error.
  let isPromise: Bool
  /// Whether `reset(.context)` also resets the declaration's own contexts.
  let isOnce: Bool

  init(
    manager: ContainerManager, declaration: Declaration, type: Any.Type, takesParameter: Bool,
    maker: Maker?, scopeCode: UInt8, extras: FactoryExtras?, isPromise: Bool, isOnce: Bool
  ) {
    self.manager = manager
    self.declaration = declaration
    self.type = type
    self.takesParameter = takesParameter
    self.maker = maker
    self.scopeCode = scopeCode
    self.extras = extras
    self.isPromise = isPromise
    self.isOnce = isOnce
  }

  var core: ContainerCore { manager.core }
  var key: ServiceKey { ServiceKey(type, property: declaration.property) }
  var declaredScope: Scope? { DeclaredScope.scope(scopeCode, custom: extras?.scope) }

  /// The key under which a layer of another type registers for the property.
  var qualifiedKey: ServiceKey {
    ServiceKey(
      type, property: declaration.property.qualified(by: core.settings.containerType))
  }

  /// The property whose factory runs in the calling thread or task, if one does.
  static var current: DeclaredProperty? {
    let thread = di_thread_get()
    if let step = di_steps(thread) { return step.pointee.asked?.pointee.declared }
    return AsyncLink.current?.request?.declared
  }

  func request(_ location: CodeLocation) -> Request {
    Request(
      type, name: nil, property: declaration.property, location: location, declared: self)
  }

  /// Puts the instance for a request into memory.
  func answer(
    _ args: UnsafePointer<Any>?, _ location: CodeLocation, to out: UnsafeMutableRawPointer
  ) throws {
    if try !deliver(args, location, to: out) { try storeNil(location, to: out) }
  }

  /// Puts the instance for a request into memory; returns false if the factory returned nil.
  func deliver(
    _ args: UnsafePointer<Any>?, _ location: CodeLocation, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    try withUnsafePointer(to: request(location)) {
      try Resolution.deliver($0, args: args, asked: manager.resolver, to: out)
    }
  }

  /// Stores nil as the result of a request for an optional, or throws the reason why there is none.
  func storeNil(_ location: CodeLocation, to out: UnsafeMutableRawPointer) throws {
    let frame = ContextFrame.current
    if !declaration.isOptional || frame?.endedSandbox != nil || found(frame) == nil {
      let error = Resolution.failure(request(location), asked: manager.resolver)
      guard declaration.isOptional, error.reason == .factoryReturnedNil else { throw error }
    }
    (type as! any OptionalType.Type).storeNone(to: out)
  }

  /// Returns the reason why a request for the wrapped type of an optional failed.
  func failure(_ location: CodeLocation) -> ResolutionError {
    let frame = ContextFrame.current
    let registered = registered(frame, below: nil)?.registration
    if registered == nil, isPromise {
      return .notRegistered(request(location), asked: manager.resolver)
    }
    return .factoryReturnedNil(
      request(location), registered ?? declared(settings(frame), frame), asked: manager.resolver)
  }
}

// MARK: - Lookup

extension DeclaredProperty {
  /// Returns what serves a request in a context; nil for a promise that nobody kept.
  ///
  /// `below`: the id of a decoration, to find what that wraps.
  func found(_ frame: ContextFrame?, below: UInt64? = nil) -> Found? {
    let outside = settings(frame)
    let registered = registered(frame, below: below)
    let outsideContext = outside?.context(FactoryContext.current)
    let context =
      outsideContext
      ?? (outside?.hidesDeclaredContexts == true
        ? nil : extras?.details.settings.context(FactoryContext.current))
    let isDouble = registered?.isDouble ?? false
    let isLater: Bool =
      if let outside, outsideContext != nil {
        outside.contextNumber > registered?.registration.id ?? 0
          && (!isDouble || outside.contextsAreDoubles)
      } else { false }
    // A decoration wraps contexts, too.
    let isDecoration = registered?.registration.isDecoration ?? false
    if let registered, isDecoration ? !isLater : isDouble ? !isLater : context == nil {
      return found(registered, outside, frame)
    }
    let holder = registered?.registration ?? declared(outside, frame)
    let owner = registered?.owner ?? core
    if let context {
      return found(
        Found(
          registration: holder, owner: owner,
          isDouble: outsideContext != nil && outside?.contextsAreDoubles == true),
        outside, frame, maker: context.maker)
    }
    guard let maker,
      !isPromise || !core.settings.promiseTriggersError(core, frame)
    else { return nil }
    return found(
      Found(registration: holder, owner: owner, isDouble: false), outside, frame, maker: maker)
  }

  private func found(
    _ found: Found, _ outside: FactorySettings?, _ frame: ContextFrame?, maker: Maker? = nil
  ) -> Found {
    Found(
      registration: found.registration, owner: found.owner, isDouble: found.isDouble,
      maker: maker, property: part(of: found.registration, outside, frame))
  }

  /// Returns the part that a registration which serves the property lacks; nil if it lacks nothing.
  private func part(
    of registration: Registration, _ outside: FactorySettings?, _ frame: ContextFrame?
  ) -> Found.Property? {
    let decorator =
      registration.options.property?.decorator ?? outside?.decorator
      ?? extras?.details.settings.decorator
    let containerDecorator = core.settings.decorator(core, frame)
    let timeToLive = outside?.timeToLive ?? extras?.details.settings.timeToLive
    let keepBy = extras?.details.keepBy
    if decorator == nil, containerDecorator == nil, timeToLive == nil, keepBy == nil { return nil }
    return Found.Property(
      decorator: decorator, containerDecorator: containerDecorator, timeToLive: timeToLive,
      keepBy: keepBy)
  }

  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?, below: UInt64?) -> Found? {
    let key = key.rawKey
    guard QualifiedKeys.areUsed.isSet, core.settings.containerType != Resolver.self else {
      guard below != nil else { return Lookup.find(key, in: core, frame) }
      return registered(frame, key, in: core, nil, in: core, below: below)
    }
    let root = frame?.rootCore ?? Resolver.processRoot.core
    return registered(frame, key, in: core, qualifiedKey.rawKey, in: root, below: below)
  }

  private func registered(
    _ frame: ContextFrame?, _ key: RawKey, in core: ContainerCore, _ qualified: RawKey?,
    in root: ContainerCore, below: UInt64?
  ) -> Found? {
    var own = Lookup.find(key, in: core, frame)
    var other = qualified.flatMap { Lookup.find($0, in: root, frame) }
    var below = below
    while true {
      let isOwn: Bool =
        if let other {
          own.map { $0.isDouble && $0.registration.id > other.registration.id } ?? false
        } else { true }
      guard let next = isOwn ? own : other else { return nil }
      guard let id = below else { return next }
      if next.registration.id == id { below = nil }
      if isOwn {
        own = next.wrapped(key, in: core, frame)
      } else {
        other = next.wrapped(qualified!, in: root, frame)
      }
    }
  }

  /// Returns the settings made outside the declaration that apply in a context, if there are any.
  func settings(_ frame: ContextFrame?) -> FactorySettings? {
    guard FactorySettings.areUsed.isSet else { return nil }
    return Lookup.find(key.rawKey(.settings), in: core, frame)?.registration
      .options.property?.settings
  }

  /// Returns the scope of instances that the declaration makes.
  func scope(_ settings: FactorySettings?, _ frame: ContextFrame?) -> Scope {
    settings?.scope ?? declaredScope ?? core.settings.defaultScope(core, frame) ?? .unique
  }

  /// Returns the entry for the declaration, made at its first use.
  ///
  /// It belongs to the container. Where a sandbox has the property in another scope, it has an
  /// entry of its own.
  func declared(_ settings: FactorySettings?, _ frame: ContextFrame?) -> Registration {
    let key = self.key.rawKey(.declaration)
    while true {
      let scope = scope(settings, frame)
      let own = core.own(key, frame)
      if let own, own.scope === scope { return own }
      let isOfContainer =
        own == nil && core.registries(frame).last === core.registry
        && scope === self.scope(self.settings(nil), nil)
      let sandbox = isOfContainer ? nil : frame?.sandbox
      let registry = sandbox?.makeRegistry(over: core) ?? core.registry
      let present = registry.find(key)
      // Another thread was faster.
      if present != nil, present !== own { continue }
      var options = Registration.Options()
      options.entry = .declaration
      let made = registration(
        Maker.nothing, scope, self.key, declaration.location, options)
      if made.scope.kind.isPerSite { SharedKeepers.note(made, in: core) }
      guard registry.replace(present, with: made) else { continue }
      // Settings that were made meanwhile did not find it.
      if core.registry.find(self.key.rawKey(.settings)) != nil { core.needGeneralPath(self.key) }
      if self.scope(settings, frame) === scope { return made }
    }
  }
}

extension Found {
  /// Returns what a property's decoration wraps.
  fileprivate func wrapped(_ key: RawKey, in core: ContainerCore, _ frame: ContextFrame?) -> Found?
  {
    if case .registration(let displaced) = registration.maker.decorates {
      return Found(registration: displaced, owner: owner, isDouble: isDouble)
    }
    return Lookup.find(key, in: core, frame, below: registration.id)
  }
}

/// The flag that any layer has registered a double for a property of another container type.
enum QualifiedKeys {
  static let areUsed = Atomic()
}
