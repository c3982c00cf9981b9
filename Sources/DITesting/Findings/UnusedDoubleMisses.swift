#if canImport(Testing) && canImport(XCTest)
import DIContainer

// The likely reasons why a double was not resolved: production registers the requested service
// under another key than the double's.

/// A registration or request similar to a double that was never resolved.
struct UnusedDoubleMiss {
  let key: ServiceKey?
  let fact: (String, String)
  let fix: String?
}

extension ContextFrame {
  /// Returns the live services that a double may have been meant to replace, the likeliest first.
  func nearMisses(of double: Registration, in core: ContainerCore) -> [UnusedDoubleMiss] {
    let byProperty = byProperty(double)
    if double.key.property != nil { return byProperty.isEmpty ? byType(double) : byProperty }
    if replacesAny(double, in: core) {
      return byProperty + (byOtherContainer(double, in: core).map { [$0] } ?? [])
    }
    let nothing = UnusedDoubleMiss(
      key: nil,
      fact: ("replaces:", "nothing: production registers no `\(double.key)`"), fix: nil)
    // What production registers is not known before start-up, nor where a double may have replaced
    // what `Resolver.production` registered in the sandbox.
    let isKnown =
      !Startup.isPending
      && ownRegistrations.map(\.registration)
        .allSatisfy { $0.options.isDouble || !$0.registersService }
    return (isKnown ? [nothing] : []) + byProperty + byOtherKey(double)
      + byProtocol(double, in: core)
  }

  /// Returns the service that the root returns instead, from another container than the double's.
  func byOtherContainer(_ double: Registration, in core: ContainerCore) -> UnusedDoubleMiss? {
    guard let found = Lookup.find(double.key, in: rootCore, self), found.owner !== core,
      !found.isDouble, !found.registration.isRemoval
    else { return nil }
    let container = found.owner.label
    return UnusedDoubleMiss(
      key: double.key,
      fact: ("close:", "\(container) has one, too (\(found.registration.location))"),
      fix: "If it is for \(container), register it there.")
  }

  /// Returns the properties of the double's type that were resolved live in this scope.
  private func byProperty(_ double: Registration) -> [UnusedDoubleMiss] {
    guard double.key.name == nil else { return [] }
    return liveRequests.filter {
      $0.key.property != nil && $0.key.type == double.key.type
        && $0.key.property !== double.key.property
    }.map { live in
      // The double may be for another container's property of that name.
      let name = double.key.property == nil ? "\(live.key)" : live.key.sourceText
      return UnusedDoubleMiss(
        key: live.key,
        fact: ("close:", "the property `\(name)` was resolved live (\(live.location))"),
        fix: "If it is for the property, register it there: "
          + "`\(live.key.propertyAccess()).register { … }`.")
    }
  }

  /// Returns the live service that is registered by the type of a property's double.
  private func byType(_ double: Registration) -> [UnusedDoubleMiss] {
    let key = ServiceKey(double.key.type)
    guard let live = Lookup.find(key, in: rootCore, self), !live.isDouble,
      !live.registration.isRemoval
    else { return [] }
    return [
      UnusedDoubleMiss(
        key: key, fact: ("close:", "`\(key)` is registered (\(live.registration.location))"),
        fix: "If the code under test resolves by type, register it by type: "
          + "\(key.doubleAdvice("")).")
    ]
  }

  private func byOtherKey(_ double: Registration) -> [UnusedDoubleMiss] {
    NearMiss.find(for: double.key, container: Resolver.root, withoutDoubles: true).map { miss in
      UnusedDoubleMiss(
        key: miss.key, fact: ("close:", "`\(miss.key)` is registered (\(miss.location))"),
        fix: "If you meant `\(miss.key)`, register the double for that.")
    }
  }

  /// Returns the live services that the double's type conforms to: `any Store` for a `MemoryStore`.
  private func byProtocol(_ double: Registration, in core: ContainerCore) -> [UnusedDoubleMiss] {
    var seen: Set<ServiceKey> = []
    let cores = core === rootCore ? [core] : [core, rootCore]
    let candidates = cores.flatMap { core in core.reachable(self).map { (core, $0) } }
    return candidates.compactMap { core, candidate -> UnusedDoubleMiss? in
      let key = candidate.key
      guard key.property == nil, key.type != double.key.type, key.name == double.key.name,
        !candidate.isRemoval, !candidate.options.isDouble, !isTop(key.type),
        conforms(double.key.type, to: key.type), seen.insert(key).inserted,
        let result = Lookup.findComplete(key, in: core, self), !result.isDouble
      else { return nil }
      return UnusedDoubleMiss(
        key: key, fact: ("close:", "`\(key)` is registered (\(candidate.location))"),
        fix: "If it is for `\(key)`, register it as that: \(key.doubleAdvice("")), or add "
          + "`.implements(\(metatypeText(key.type)))`.")
    }.prefix(3).map { $0 }
  }

  /// Whether every instance is of the type, so that it carries no information.
  private func isTop(_ type: Any.Type) -> Bool {
    type == Any.self || type == AnyObject.self || type == (any Sendable).self
  }
}
#endif
