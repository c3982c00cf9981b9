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
// Most requests take the short path in Declaration+ShortPath.swift.

extension DeclaredProperty {
  func request(_ location: CodeLocation) -> Request {
    let property = declaration.property
    return Request(
      property.type, name: nil, property: property, location: location, declared: self)
  }

  /// Puts the instance for a request into memory, if only the nil of an optional.
  func deliver(
    _ args: UnsafePointer<Any>?, _ location: CodeLocation, to out: UnsafeMutableRawPointer
  ) throws {
    let isDelivered = try withUnsafePointer(to: request(location)) {
      try Resolution.deliver($0, args: args, asked: declaration.container, to: out)
    }
    if !isDelivered { try storeNil(location, to: out) }
  }

  /// Stores nil as the result of a request for an optional, or throws the reason why there is none.
  private func storeNil(_ location: CodeLocation, to out: UnsafeMutableRawPointer) throws {
    let (frame, property) = (ContextFrame.current, declaration.property)
    if !property.isOptional || frame?.endedSandbox != nil || found(frame) == nil {
      let error = Resolution.failure(request(location), asked: declaration.container)
      guard property.isOptional, error.reason == .factoryReturnedNil else { throw error }
    }
    (property.type as! any OptionalType.Type).storeNone(to: out)
  }

  /// Returns the reason why a request for the wrapped type of an optional failed.
  func failure(_ location: CodeLocation) -> ResolutionError {
    let frame = ContextFrame.current
    let registered = declaration.registered(frame, below: nil)?.registration
    if registered == nil, declaration.marks.isPromise {
      return .notRegistered(request(location), asked: declaration.container)
    }
    return .factoryReturnedNil(
      request(location), registered ?? declaration.entry(declaration.outside(frame), frame),
      asked: declaration.container)
  }
}

// MARK: - Lookup

extension DeclaredProperty {
  /// Returns what serves a request in a context; nil for a promise that nobody kept.
  ///
  /// `below`: the id of a decoration, to find what that wraps.
  func found(_ frame: ContextFrame?, below: UInt64? = nil) -> Found? {
    let registered = declaration.registered(frame, below: below)
    let outside = declaration.outside(frame)
    let context = context(outside, over: registered)
    if context == nil, let registered {
      guard let part = part(of: registered.registration, outside, frame) else { return registered }
      return Found(
        registration: registered.registration, owner: registered.owner,
        isDouble: registered.isDouble, property: part)
    }
    let isMissing =
      maker == nil
      || declaration.marks.isPromise
        && declaration.core.setting(\.promiseTriggersError, frame) == true
    if context == nil, isMissing { return nil }
    let holder = registered?.registration ?? declaration.entry(outside, frame)
    return Found(
      registration: holder, owner: registered?.owner ?? declaration.core,
      isDouble: context?.isDouble ?? false, declared: self,
      property: part(of: holder, outside, frame, context?.maker))
  }

  /// Returns the factory of the context that comes before what was registered, if one does.
  private func context(
    _ outside: StoredSettings?, over registered: Found?
  ) -> (maker: Maker, isDouble: Bool)? {
    if let outside, let context = outside.value.context(FactoryContext.current) {
      let areDoubles = outside.value.contextsAreDoubles
      // A decoration wraps contexts, too.
      guard let registered, registered.isDouble || registered.isDecoration else {
        return (context.maker, areDoubles)
      }
      let isLater = outside.value.contextNumber > registered.registration.id
      return isLater && (!registered.isDouble || areDoubles) ? (context.maker, areDoubles) : nil
    }
    guard let declared = declaration.stored, outside?.value.hidesDeclaredContexts != true,
      registered.map({ $0.isDouble || $0.isDecoration }) != true
    else { return nil }
    return declared.value.context(FactoryContext.current).map { ($0.maker, false) }
  }

  /// Returns the part that a registration which serves the property lacks; nil if it lacks nothing.
  private func part(
    of registration: Registration, _ outside: StoredSettings?, _ frame: ContextFrame?,
    _ contextMaker: Maker? = nil
  ) -> Found.Property? {
    let declared = declaration.stored
    let decorator =
      registration.options.property?.decorator ?? outside?.value.decorator
      ?? declared?.value.decorator
    let containerDecorator = declaration.core.setting(\.decorator, frame) ?? nil
    let timeToLive = outside?.value.timeToLive ?? declared?.value.timeToLive
    let keepBy = declared?.value.keepBy
    if contextMaker == nil, decorator == nil, containerDecorator == nil, timeToLive == nil,
      keepBy == nil
    {
      return nil
    }
    return Found.Property(
      maker: contextMaker, decorator: decorator, containerDecorator: containerDecorator,
      timeToLive: timeToLive, keepBy: keepBy)
  }
}

extension Declaration {
  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?, below: UInt64?) -> Found? {
    guard property.wasRegistered.isSet || QualifiedKeys.areUsed.isSet else { return nil }
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
  func outside(_ frame: ContextFrame?) -> StoredSettings? {
    guard property.hasSettings.isSet else { return nil }
    return Lookup.find(key.rawKey(.settings), in: core, frame)?.registration
      .options.property?.settings
  }

  /// Returns the scope of instances that the declaration makes.
  func scope(_ outside: StoredSettings?, _ frame: ContextFrame?) -> Scope {
    outside?.value.scope ?? declaredScope ?? (core.setting(\.defaultScope, frame) ?? nil) ?? .unique
  }

  /// Returns the entry for the declaration, made at its first use.
  ///
  /// It belongs to the container. Where a sandbox has the property in another scope, it has an
  /// entry of its own.
  func entry(_ outside: StoredSettings?, _ frame: ContextFrame?) -> Registration {
    let key = self.key.rawKey(.declaration)
    while true {
      let scope = scope(outside, frame)
      let own = core.own(key, frame)
      if let own, own.scope === scope { return own }
      let isOfContainer =
        own == nil && core.registries(frame).last === core.registry
        && scope === self.scope(self.outside(nil), nil)
      let sandbox = isOfContainer ? nil : frame?.sandbox
      let registry = sandbox?.makeRegistry(over: core) ?? core.registry
      let present = registry.find(key)
      // Another thread was faster.
      if present != nil, present !== own { continue }
      var options = Registration.Options()
      options.entry = .declaration
      let made = registration(
        Maker.nothing, scope, self.key, property.location, options)
      SharedKeepers.note(made, in: core)
      guard registry.replace(present, with: made) else { continue }
      // Settings that were made meanwhile did not find it.
      if core.registry.find(self.key.rawKey(.settings)) != nil { core.needGeneralPath(self.key) }
      if self.scope(outside, frame) === scope { return made }
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
