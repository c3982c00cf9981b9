#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// Ambient values that are the same in every run of a test, which `.deterministic` returns.
///
/// They are known by type and by the name of the property that declares them, in any container: a
/// property of another name, such as a shop's own time zone, is not ambient.
final class DeterministicValues: Sendable {
  private let clock: TestClock
  private let generator: SeededGenerator
  private let identifiers = Atomic()

  /// Creates the values of a test.
  ///
  /// - Parameters:
  ///   - test: The test's name, which the randomness depends on.
  ///   - clock: The clock that the date follows.
  init(of test: String, following clock: TestClock) {
    self.clock = clock
    generator = SeededGenerator(test)
  }

  /// Returns the policy under which requests for ambient values get these.
  func policy(_ policy: FramePolicy = FramePolicy()) -> FramePolicy {
    var policy = policy
    policy.fallbacks.append(Fallback { self.value(for: $0) })
    return policy
  }

  private func value(for key: ServiceKey) -> Any? {
    if key.name != nil { return nil }
    func isFor<Value>(_ type: Value.Type, _ property: String) -> Bool {
      key.type == type && key.property.map { $0.name == property } ?? true
    }
    let clock = TestClock.ofTest ?? clock
    let now: @Sendable () -> Date = { clock.date }
    if isFor((@Sendable () -> Date).self, "now") { return now }
    if isFor((() -> Date).self, "now") { return now as () -> Date }
    let uuid: @Sendable () -> UUID = { self.nextIdentifier() }
    if isFor((@Sendable () -> UUID).self, "uuid") { return uuid }
    if isFor((() -> UUID).self, "uuid") { return uuid as () -> UUID }
    if isFor((any RandomNumberGenerator & Sendable).self, "randomNumberGenerator")
      || isFor((any RandomNumberGenerator).self, "randomNumberGenerator")
    {
      return generator
    }
    if isFor(Calendar.self, "calendar") { return Self.calendar }
    if isFor(TimeZone.self, "timeZone") { return Self.timeZone }
    if isFor(Locale.self, "locale") { return Self.locale }
    if isFor([String: String].self, "environment") { return [String: String]() }
    return nil
  }

  /// Returns 00000000-0000-0000-0000-000000000000, then …-000000000001, and so on.
  private func nextIdentifier() -> UUID {
    let digits = String(identifiers.increment(), radix: 16)
    let zeros = String(repeating: "0", count: 12 - digits.count)
    return UUID(uuidString: "00000000-0000-0000-0000-\(zeros)\(digits)")!
  }

  private static let timeZone = TimeZone.gmt
  private static let locale = Locale(identifier: "en_US_POSIX")
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    calendar.locale = locale
    return calendar
  }()
}

/// A generator whose numbers depend on a text only; all copies draw from one sequence.
final class SeededGenerator: RandomNumberGenerator, Sendable {
  private let state: Lock<UInt64>

  /// Creates a generator whose seed is a hash of a text: `Hashable`'s differs in every process.
  init(_ text: String) {
    state = Lock(text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }

  /// Returns the next number (SplitMix64).
  func next() -> UInt64 {
    var number = state.withLock { state in
      state &+= 0x9e37_79b9_7f4a_7c15
      return state
    }
    number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
    return number ^ (number >> 31)
  }
}
#endif
