// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров").

/// The once-states of registration sites.
///
/// A site's lives as long as some registration holds it.
final class SiteSlots: Sendable {
  static let shared = SiteSlots()

  private let slots = Lock<[Site: WeakSlot]>([:])

  private struct Site: Hashable {
    let location: CodeLocation
    let type: ObjectIdentifier
    let scope: ObjectIdentifier
  }

  private struct WeakSlot {
    weak var slot: Slot?
  }

  /// The once-state for a type that is registered at a place in a scope.
  func slot(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) -> Slot {
    let site = Site(
      location: location, type: ObjectIdentifier(type), scope: ObjectIdentifier(scope))
    return slots.withLock { slots in
      if let slot = slots[site]?.slot { return slot }
      let slot = Slot(scope, type)
      slots[site] = WeakSlot(slot: slot)
      return slot
    }
  }
}
