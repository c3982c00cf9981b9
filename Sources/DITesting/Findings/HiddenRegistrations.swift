#if canImport(Testing) && canImport(XCTest)
import DIContainer

// What hides a registration, and which double a request may be for.

extension ContextFrame {
  /// Returns the layer's registration that hides another one, if there is one.
  func hiding(_ registration: Registration, in core: ContainerCore) -> Found? {
    // Nothing hides what the innermost layer holds.
    guard let layer, layer.installed?.core !== core else { return nil }
    let isReached = rootReaches(core)
    let found =
      isReached
      ? Lookup.find(registration.key, in: core, self)
      // A double that is registered later wins over a layer's; see `Declaration.registered`.
      : registration.options.isDouble
        ? nil : Lookup.findQualified(registration.key, of: core, self)
    return hiding(registration, found).flatMap {
      $0.owner !== core && isLayer($0.owner) ? $0 : nil
    }
  }

  /// Returns the registration that hides an enclosing scope's double in this one, if there is one.
  ///
  /// Code under test requests a type of the root if that reaches the double's container.
  func hiding(
    _ double: Registration, of outer: ContextFrame, in core: ContainerCore
  ) -> Found? {
    let isOfRoot = double.key.property == nil && outer.rootReaches(core)
    let start = isOfRoot ? rootCore : core
    let later = Lookup.findQualified(double.key, of: core, self).flatMap {
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
}

extension ServiceKey {
  /// Whether a request for the key may be the one that a double is for.
  ///
  /// A class or a protocol may have another name, or be a property, and the double be registered by
  /// its own type; values of one type are many.
  func isClose(to double: ServiceKey) -> Bool {
    self == double || conforms(double.type, to: serviceType)
      || serviceType == double.serviceType
        && (serviceType is AnyClass || Metadata(serviceType).isAnyExistential)
  }

  /// Whether an instance of a type is a double for requests of the key.
  func isRequest(for type: Any.Type) -> Bool { self.type == type || serviceType == type }
}
#endif
