import Foundation

// The floors. None of them is a container: they are what the same result costs by hand.

/// A dictionary under a mutex, which is what most containers are inside.
final class LockedDictionary: @unchecked Sendable {
  // Sendable: every access holds the mutex.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [ObjectIdentifier: AnyObject] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  func set(_ type: Any.Type, _ value: AnyObject) { values[ObjectIdentifier(type)] = value }

  @inline(never)
  func get<Service: AnyObject>(_ type: Service.Type) -> Service {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return unsafeDowncast(values[ObjectIdentifier(type)].unsafelyUnwrapped, to: Service.self)
  }
}

final class Token: Sendable {}

/// The least that can hold a double: what it stands for, and how to make it.
final class OneEntryLayer: Sendable {
  private let type: ObjectIdentifier
  private let make: @Sendable () -> Catalog

  init(_ make: @escaping @Sendable () -> Catalog) {
    type = ObjectIdentifier(Catalog.self)
    self.make = make
  }

  @inline(never)
  static func resolve<Service>(_ service: Service.Type) -> Catalog {
    guard let layer = Context.layer, layer.type == ObjectIdentifier(service) else { fatalError() }
    return layer.make()
  }
}

enum Context {
  @TaskLocal static var token: Token?
  @TaskLocal static var layer: OneEntryLayer?
}

func floors() -> [Workload] {
  let kept = LockedDictionary()
  kept.set(Settings.self, Settings())
  // As many others as the container has that it is compared with.
  for type: AnyObject.Type in [Session.self, Token.self, ShopClock.self] { kept.set(type, Token()) }
  let token = Token()
  let container = shop(.unique)
  return [
    Workload("direct init") { count in for _ in 0..<count { use(makeCatalog()) } },
    Workload("five direct inits") { count in
      for _ in 0..<count {
        use(makeCheckout(makePayments(makeBasket(makePrices(makeCatalog())))))
      }
    },
    Workload("dictionary + pthread lock") { count in
      for _ in 0..<count { use(kept.get(Settings.self)) }
    },
    Workload("task-local read") { count in for _ in 0..<count { use(Context.token) } },
    Workload("TaskLocal.withValue + resolve") { count in
      for _ in 0..<count {
        Context.$token.withValue(token) { use(container.resolve(Catalog.self)) }
      }
    },
    Workload("TaskLocal.withValue + one-entry layer + resolve") { count in
      for _ in 0..<count {
        Context.$layer.withValue(OneEntryLayer { makeCatalog() }) {
          use(OneEntryLayer.resolve(Catalog.self))
        }
      }
    },
  ]
}
