// Kept instances that are forgotten if they are not requested for some time.

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
      expired = evidence()
      return expired != nil
    })
    releaseUnlocked(expired)
  }

  /// The time at which the time to live of an instance begins that is kept now; nil if it has none.
  ///
  /// Its build may have taken longer than that.
  var keepingTime: ContinuousClock.Instant? {
    BuildLock.withLock { lastRequest != nil } ? ExpiryClock.now : nil
  }
}
