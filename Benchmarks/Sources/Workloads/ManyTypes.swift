import DIContainer
import Foundation

// Ten thousand types, made from four digits each.

private protocol Digit: SendableMetatype {}
private enum D0: Digit {}
private enum D1: Digit {}
private enum D2: Digit {}
private enum D3: Digit {}
private enum D4: Digit {}
private enum D5: Digit {}
private enum D6: Digit {}
private enum D7: Digit {}
private enum D8: Digit {}
private enum D9: Digit {}

private protocol Constructible: AnyObject {
  init()
}

private final class Item<A, B, C, D>: Constructible {}

private let digits: [any Digit.Type] = [
  D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
]

/// What can be done with one of the types.
///
/// A class, so that its generic subclass has the type at hand: code that is not specialised would
/// look up `Item<A, B, C, D>` for microseconds.
class ItemType {
  func register(_ container: Resolver) {}
  func resolve(_ container: Resolver) -> AnyObject { self }
  func look(_ dictionary: LockedDictionary) -> AnyObject { self }
  func keep(_ dictionary: LockedDictionary) {}
}

private final class TypedItemType<Service: Constructible>: ItemType {
  override func register(_ container: Resolver) {
    container.register { Service() }.scope(.cached)
  }
  override func resolve(_ container: Resolver) -> AnyObject { container.resolve(Service.self) }
  override func look(_ dictionary: LockedDictionary) -> AnyObject { dictionary.get(Service.self) }
  override func keep(_ dictionary: LockedDictionary) { dictionary.set(Service.self, Service()) }
}

private func item<A: Digit, B: Digit, C: Digit, D: Digit>(
  _: A.Type, _: B.Type, _: C.Type, _: D.Type
) -> ItemType {
  TypedItemType<Item<A, B, C, D>>()
}

/// Ten thousand types, or fewer.
func itemTypes(_ count: Int = 10_000) -> [ItemType] {
  var types: [ItemType] = []
  for number in 0..<count {
    let ones: any Digit.Type = digits[number % 10]
    let tens: any Digit.Type = digits[number / 10 % 10]
    let hundreds: any Digit.Type = digits[number / 100 % 10]
    let thousands: any Digit.Type = digits[number / 1000 % 10]
    types.append(item(ones, tens, hundreds, thousands))
  }
  return types
}

final class NamedDictionary {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [String: AnyObject] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  func set(_ name: String, _ value: AnyObject) { values[name] = value }

  @inline(never)
  func get(_ name: String) -> AnyObject {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return values[name].unsafelyUnwrapped
  }
}

func manyTypes() -> [Workload] {
  let types = itemTypes()
  let container = Resolver()
  let dictionary = LockedDictionary()
  for type in types {
    type.register(container)
    type.keep(dictionary)
    _ = type.resolve(container)
  }
  let names = (0..<10_000).map { "the service with the number \($0)" }
  let named = Resolver()
  let namedDictionary = NamedDictionary()
  for name in names {
    named.register(name: .init(name)) { Settings() }.scope(.cached)
    _ = named.resolve(Settings.self, name: .init(name))
    namedDictionary.set(name, Settings())
  }
  return [
    Workload("10,000 types in turn: dictionary + pthread lock", count: 20_000) { count in
      for number in 0..<count { use(types[number % 10_000].look(dictionary)) }
    },
    Workload(
      "10,000 types in turn", floor: "10,000 types in turn: dictionary + pthread lock", goal: 1.3,
      count: 20_000
    ) { count in
      for number in 0..<count { use(types[number % 10_000].resolve(container)) }
    },
    Workload("10,000 names in turn: dictionary + pthread lock", count: 20_000) { count in
      for number in 0..<count { use(namedDictionary.get(names[number % 10_000])) }
    },
    Workload(
      "10,000 names in turn", floor: "10,000 names in turn: dictionary + pthread lock", goal: 1.2,
      count: 20_000
    ) { count in
      for number in 0..<count {
        use(named.resolve(Settings.self, name: .init(names[number % 10_000])))
      }
    },
    // By names: where a program names a type, the compiler knows it; the code for the ten thousand
    // types here does not, and would measure the runtime's search for generic metadata.
    Workload("registering, one of 1,000", count: 1_000) { count in
      register(names, count, of: 1_000)
    },
    // Linear: what grew with the number of registrations would cost ten times as much.
    Workload(
      "registering, one of 10,000", floor: "registering, one of 1,000", goal: 2, count: 10_000
    ) { count in
      register(names, count, of: 10_000)
    },
  ]
}

/// Registers so often, in containers of a size.
private func register(_ names: [String], _ count: Int, of size: Int) {
  var container = Resolver()
  for number in 0..<count {
    if number % size == 0 { container = Resolver() }
    container.register(name: .init(names[number % size])) { Settings() }
  }
}
