// What modifiers of a property ask of its keeper: an instance for each parameter
// (`scopeOnParameters`), and a time to live.

// MARK: Parameters

// What the keeper of a service with an instance for each parameter keeps is a table of keepers, one
// for each: whatever forgets, saves or restores an instance does so with all of them at once.

/// The keepers by parameter of one keeper; the build lock guards them.
final class ParameterKeepers {
  typealias Entry = (parameter: AnyHashable, keeper: Keeper)

  /// By the parameter's hash at the first request; the user's code may return another one later.
  private var entries: [Int: [Entry]]

  init(_ entries: [Int: [Entry]] = [:]) { self.entries = entries }

  var copy: ParameterKeepers { ParameterKeepers(entries) }

  /// Returns an object to hold if an instance is kept for a parameter, as `Keeper.evidence`.
  var evidence: AnyObject? {
    for keeper in entries.values.joined().lazy.map(\.keeper) {
      if let evidence = keeper.evidence() { return evidence }
    }
    return nil
  }

  /// Returns the keeper for a parameter, which is the user's value: it is hashed and compared with
  /// no lock held.
  func keeper(for parameter: AnyHashable, orMake make: () -> Keeper) -> Keeper {
    let hash = parameter.hashValue
    while true {
      let known = BuildLock.withLock { entries[hash] ?? [] }
      if let entry = known.first(where: { $0.parameter == parameter }) { return entry.keeper }
      let made = make()
      let isAdded = BuildLock.withLock {
        // Another request may have added one for the parameter.
        if entries[hash, default: []].count != known.count { return false }
        entries[hash, default: []].append((parameter, made))
        return true
      }
      if isAdded { return made }
    }
  }
}

extension Keeper {
  /// Returns the keeper of the instance for a parameter.
  func keeper(for parameter: AnyHashable) -> Keeper {
    let (keepers, displaced) = BuildLock.withLock { keepParameters() }
    releaseUnlocked(displaced)
    joinScope()
    // Resets reach it through this keeper.
    return keepers.keeper(for: parameter) { Keeper(scope, type, isUnlisted: true) }
  }
}

// MARK: - Time to live

/// The clock by which kept instances that have a time to live expire.
package enum ExpiryClock {
  /// The time by which the clock is ahead of the real one; tests bind it.
  ///
  /// Not a closure: binding one crashes in release builds of Swift 6.3.1.
  @TaskLocal package static var ahead = Lock(Duration.zero)

  fileprivate static var now: ContinuousClock.Instant {
    if let time = testTime.withLock({ $0 })?() { return start + time }
    return ContinuousClock.now + ahead.withLock { $0 }
  }

  /// Returns the time since the start of the test's clock, if there is one; tests set it.
  package static let testTime = Lock<(@Sendable () -> Duration?)?>(nil)

  /// The instant at which the clocks of tests start.
  private static let start = ContinuousClock.now
}

extension Keeper {
  /// Notes a request for the instance, which is forgotten if the previous one was too long ago.
  func forgetExpired(after seconds: Double) {
    let now = ExpiryClock.now
    var expired: AnyObject?
    forget(if: {
      defer { lastRequest = now }
      guard let last = lastRequest, (now - last) / .seconds(1) > seconds else { return false }
      // An instance that is being built is younger.
      expired = evidenceOfAny()
      return expired != nil
    })
    releaseUnlocked(expired)
  }

  /// Returns an object to hold if there is an instance, or what a decoration made of one.
  private func evidenceOfAny() -> AnyObject? {
    if let evidence = evidence() { return evidence }
    for keeper in decorated.values {
      if let evidence = keeper.evidenceOfAny() { return evidence }
    }
    return nil
  }

  /// The time at which the time to live of an instance begins that is kept now; nil if it has none.
  ///
  /// Its build may have taken longer than that.
  var keepingTime: ContinuousClock.Instant? {
    BuildLock.withLock { lastRequest != nil } ? ExpiryClock.now : nil
  }
}
