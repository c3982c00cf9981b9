internal import DIPrimitives

// Questions of the test delegate: what serves a key, what hides a registration, and which request
// is to be reported.

extension ContextFrame {
  /// Returns the registration that serves a key, or else the declaration of a property.
  ///
  /// A container that is not in use yet, such as a layer made by hand, reaches services that were
  /// resolved through others, but has served no request itself.
  package func served(_ key: ServiceKey, by core: ContainerCore) -> Found? {
    let found =
      Lookup.find(key, in: core, self)
      ?? (key.property == nil ? nil : Lookup.find(key, .declaration, in: core, self))
    guard let found, found.owner === core || rootReaches(core) else { return nil }
    return found
  }

  /// Returns the layer's registration that hides another one, if there is one.
  package func hiding(_ registration: Registration, in core: ContainerCore) -> Found? {
    // Nothing hides what the innermost layer holds.
    guard let layer, layer.installed?.core !== core else { return nil }
    let isReached = rootReaches(core)
    let found =
      isReached
      ? Lookup.find(registration.key, in: core, self)
      // A double that is registered later wins over a layer's; see `Declaration.registered`.
      : registration.options.isDouble ? nil : layersRegistration(for: registration, in: core)
    return hiding(registration, found).flatMap {
      $0.owner !== core && isLayer($0.owner) ? $0 : nil
    }
  }

  /// Returns the registration that hides an enclosing scope's double in this one, if there is one.
  ///
  /// Code under test requests a type of the root if that reaches the double's container.
  package func hiding(
    _ double: Registration, of outer: ContextFrame, in core: ContainerCore
  ) -> Found? {
    let isOfRoot = double.key.property == nil && outer.rootReaches(core)
    let start = isOfRoot ? rootCore : core
    let later = layersRegistration(for: double, in: core).flatMap {
      $0.registration.id > double.id ? $0 : nil
    }
    guard let found = hiding(double, later ?? Lookup.find(double.key, in: start, self))
    else { return nil }
    // What hides it in the enclosing scope, too, is no matter of this one.
    let outside = Lookup.find(double.key, in: isOfRoot ? outer.rootCore : core, outer)
    return found.registration.id == outside?.registration.id ? nil : found
  }

  /// Returns what hides a registration if something is found for its key: decorations hide nothing,
  /// and what they wrap may.
  private func hiding(_ registration: Registration, _ found: Found?) -> Found? {
    var found = found
    while let outer = found?.registration, outer.id != registration.id, outer.isTransparent {
      found = found?.next
    }
    return found?.registration.id == registration.id ? nil : found
  }

  /// Returns a layer's registration for a property of another container's type.
  private func layersRegistration(
    for registration: Registration, in core: ContainerCore
  ) -> Found? {
    guard di_holds(di_qualified_keys_are_used), let property = registration.key.property,
      let type = core.containerType
    else { return nil }
    let key = ServiceKey(registration.key.type, property: property.qualified(by: type))
    return Lookup.find(key, in: rootCore, self)
  }
}

extension ServiceKey {
  /// The requested type or, of a property that is declared as an optional, the type that it wraps.
  package var serviceType: Any.Type {
    guard property != nil, let optional = type as? any OptionalType.Type else { return type }
    return optional.wrapped
  }

  /// Whether a request for the key may be the one that a double is for.
  ///
  /// A class or a protocol may have another name, or be a property, and the double be registered by
  /// its own type; values of one type are many.
  package func isClose(to double: ServiceKey) -> Bool {
    self == double || conforms(double.type, to: serviceType)
      || serviceType == double.serviceType
        && (serviceType is AnyClass || Metadata(serviceType).isAnyExistential)
  }

  /// Whether an instance of a type is a double for requests of the key.
  package func isRequest(for type: Any.Type) -> Bool { self.type == type || serviceType == type }
}

extension Request {
  /// Whether it is reported, rather than the request that led to it or one that it will lead to.
  ///
  /// A resolution is reported once, not for each of its dependencies; nor for an optional that is
  /// resolved by requesting what it wraps, or a wrapper, which will request its service itself.
  package func isToBeReported(container: Resolver, _ frame: ContextFrame?) -> Bool {
    guard Chain.isEmpty, AsyncLink.current?.wasMadeOutside != true else { return false }
    return !(type is any OptionalType.Type || type is any RequestWrapper.Type)
      || Lookup.find(key, in: container.core, frame) != nil
  }
}
