/// A service that some container answers, whether or not the one that is looked at reaches it.
///
/// A service that is declared as a property is answered by its container without a registration;
/// one that is registered by type may be asked of a container that stands beside.
struct AnsweredService {
  let key: ServiceKey
  /// The name of the container that answers.
  let container: String
  let scope: Scope
  let registeredAt: CodeLocation
  let isDouble: Bool
}

extension AnsweredService {
  /// The answer that a recorder saw; nil for a miss, and for what no registration stands behind.
  init?(_ event: ResolutionEvent) {
    guard event.isAnswered, let scope = event.keeper, let location = event.registeredAt else {
      return nil
    }
    self.init(
      key: event.key, container: event.container, scope: scope, registeredAt: location,
      isDouble: event.isDouble)
  }
}

/// Something that is asked for later, on behalf of whoever holds it.
struct LaterNeed {
  let key: ServiceKey
  /// What answers where a property is named, whose container is known.
  var answer: AnsweredService?
}

/// A property wrapper, or a parameter, that asks for its service when it is used.
protocol AsksLater {
  /// What it will ask a container for, if it is one that it asks.
  var laterNeed: LaterNeed? { get }
}

extension LazyInjected {
  var laterNeed: LaterNeed? {
    factory?.laterNeed ?? LaterNeed(key: ServiceKey(Service.self, name: name))
  }
}

extension WeakLazyInjected {
  var laterNeed: LaterNeed? {
    factory?.laterNeed ?? LaterNeed(key: ServiceKey(Service.self, name: name))
  }
}

extension DynamicInjected: AsksLater {
  var laterNeed: LaterNeed? { projectedValue.laterNeed }
}

extension Factory {
  /// The service that the property declares, as its container answers it in the current context.
  fileprivate var laterNeed: LaterNeed {
    LaterNeed(key: registration.serviceKey, answer: registration.answer(ContextFrame.current))
  }
}

extension FactoryRegistration {
  /// What answers for the property; nil where it was only promised.
  fileprivate func answer(_ frame: ContextFrame?) -> AnsweredService? {
    if let found = Lookup.answer(serviceKey.rawKey, in: core, frame) {
      let registration = found.registration
      return AnsweredService(
        key: serviceKey, container: found.owner.label, scope: registration.scope,
        registeredAt: registration.location, isDouble: found.isDouble)
    }
    if isPromise { return nil }
    return AnsweredService(
      key: serviceKey, container: core.label,
      scope: declaredScope ?? core.factories.defaultScope(core, frame) ?? .unique,
      registeredAt: declaration.location, isDouble: false)
  }
}
