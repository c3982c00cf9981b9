import Foundation

@testable import DIContainer

/// The oracle: a dictionary under a lock.
final class DictionaryStore: Sendable {
  private let registrations = Lock<[ServiceKey: Unchecked<Registration>]>([:])

  func find(_ key: ServiceKey) -> Registration? { registrations.withLock { $0[key]?.value } }

  func set(_ registration: Registration) {
    registrations.withLock { $0[registration.key] = Unchecked(registration) }
  }

  func all() -> [Registration] {
    registrations.withLock { $0.values.map(\.value) }.sorted { $0.id < $1.id }
  }

  func removeAll() { registrations.withLock { $0 = [:] } }
}

/// Counts the factories that are alive, and with them their registrations.
final class Living: Sendable {
  private let count = Lock(0)
  var number: Int { count.withLock { $0 } }

  final class Mark: Sendable {
    private let living: Living
    init(_ living: Living) {
      self.living = living
      living.count.withLock { $0 += 1 }
    }
    deinit { living.count.withLock { $0 -= 1 } }
  }
}

/// A registration of a tea under a key, marked as living.
func teaRegistration<Tea>(_ type: Tea.Type, _ name: String?, _ living: Living) -> Registration {
  let mark = Living.Mark(living)
  return Registration(
    key: ServiceKey(type, name: name.map { Resolver.Name($0) }), scope: .unique,
    location: CodeLocation(),
    maker: Maker.plain { withExtendedLifetime(mark) { nil as Tea? } },
    options: Registration.Options())
}

/// Random numbers that are the same in every run.
struct SameNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
