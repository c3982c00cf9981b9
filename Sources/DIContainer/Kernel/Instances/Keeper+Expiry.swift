// Kept instances that are forgotten if they are not requested for some time.

/// The clock by which kept instances that have a time to live expire.
package enum ExpiryClock {
  /// The time by which the clock is ahead of the real one; tests bind it.
  ///
  /// Not a closure: binding one crashes in release builds of Swift 6.3.1.
  @TaskLocal package static var ahead = Lock(Duration.zero)

  fileprivate static var now: ContinuousClock.Instant {
    ContinuousClock.now + ahead.withLock { $0 }
  }
}

extension Keeper {
  /// Notes a request for the instance, which is forgotten if the previous one was too long ago.
  func forgetExpired(after seconds: Double) {
    let now = ExpiryClock.now
    let last = BuildLock.withLock {
      defer { lastRequest = now }
      return lastRequest
    }
    guard let last, (now - last) / .seconds(1) > seconds else { return }
    // One that is being built is younger. The evidence is released under no lock.
    var expired: AnyObject?
    forget(if: {
      expired = evidence()
      return expired != nil
    })
    withExtendedLifetime(expired) {}
  }

  /// Begins the time to live of an instance that is kept now, if it has one: its build may have
  /// taken longer than that.
  ///
  /// The caller holds the build lock.
  func beginTimeToLive() {
    if lastRequest != nil { lastRequest = ExpiryClock.now }
  }
}
