/// A service of some container, whether or not the container of the graph reaches it.
///
/// A service that is declared as a property is provided by its container without a registration,
/// and one that is registered by type may be requested from a container outside the graph.
package struct ResolvedService {
  let key: ServiceKey
  /// The name of the container that provides it.
  let container: String
  let scope: Scope
  let registeredAt: CodeLocation
  let isDouble: Bool
}

extension ResolvedService {
  /// Creates the service of a recorded request; nil for a miss, or if no registration provided it.
  init?(_ event: EventNote) {
    guard event.outcome == .created || event.outcome == .kept, let scope = event.scope,
      let location = event.registeredAt
    else { return nil }
    self.init(
      key: event.key, container: event.container, scope: scope, registeredAt: location,
      isDouble: event.isDouble)
  }
}

/// A dependency that the holder of an instance resolves later.
@usableFromInline
package struct LaterNeed {
  let key: ServiceKey
  /// The service that provides it if it refers to a property, whose container is known.
  let provider: ResolvedService?

  package init(key: ServiceKey, provider: ResolvedService? = nil) {
    self.key = key
    self.provider = provider
  }
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
  /// Returns the service that provides the property; nil for a promise without a registration.
  fileprivate func provider(_ frame: ContextFrame?) -> ResolvedService? {
    if let found = Lookup.findComplete(serviceKey, in: declaration.core, frame) {
      let registration = found.registration
      return ResolvedService(
        key: serviceKey, container: found.owner.label, scope: registration.scope,
        registeredAt: registration.location, isDouble: found.isDouble)
    }
    if declaration.marks.isPromise { return nil }
    return ResolvedService(
      key: serviceKey, container: declaration.core.label, scope: declaration.scope(frame),
      registeredAt: declaration.property.location, isDouble: false)
  }
}
