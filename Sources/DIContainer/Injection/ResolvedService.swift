/// A dependency that the holder of an instance resolves later.
@usableFromInline
package struct LaterNeed {
  let key: ServiceKey
  /// What provides it if it refers to a property, whose container is known.
  var provider: EventNote?
}

/// A property wrapper, or a parameter, that resolves its service when it is used.
package protocol ResolvesLater {
  /// The dependency that it resolves later, if it resolves one from a container.
  var laterNeed: LaterNeed? { get }
}

extension Factory {
  /// The dependency on the property's service, as its container provides it in the current context.
  @usableFromInline
  package var laterNeed: LaterNeed {
    LaterNeed(key: _registration.serviceKey, provider: _registration.provider(ContextFrame.current))
  }
}

extension FactoryRegistration {
  /// Returns what provides the property; nil for a promise without a registration.
  fileprivate func provider(_ frame: ContextFrame?) -> EventNote? {
    let found = Lookup.findComplete(serviceKey, in: declaration.core, frame)
    if found == nil, declaration.settings.isPromise { return nil }
    return EventNote(
      parent: 0, key: serviceKey, container: (found?.owner ?? declaration.core).label,
      scope: found?.registration.scope ?? declaration.scope(frame),
      isDouble: found?.isDouble ?? false,
      registeredAt: found?.registration.location ?? declaration.property.location,
      requestedAt: nil)
  }
}
