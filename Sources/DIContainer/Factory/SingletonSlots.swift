/// The slots of services that are `.singleton` by key path: one for each container type and
/// property, for the whole process.
final class SingletonSlots: Sendable {
  static let shared = SingletonSlots()

  private let slots = Lock<[Key: Keeper]>([:])

  private struct Key: Hashable {
    let container: ObjectIdentifier
    let property: ObjectIdentifier

    init(_ container: Any.Type, _ property: PropertyKey) {
      self.container = ObjectIdentifier(container)
      self.property = ObjectIdentifier(property)
    }
  }

  func slot(_ container: Any.Type, _ property: PropertyKey, _ type: Any.Type) -> Keeper {
    let key = Key(container, property)
    return slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = Keeper(Scope.singleton, type)
      slots[key] = slot
      return slot
    }
  }
}
