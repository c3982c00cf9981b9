import DIContainer

/// A patientTill that tries again after half a minute.
final class PatientTill: Sendable {
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Returns how many times it had to try.
  func sell(failing times: Int) async throws -> Int {
    for _ in 0..<times { try await clock.sleep(for: .seconds(30)) }
    return times + 1
  }
}

extension Container {
  var patientClock: Factory<any Clock<Duration>> { self { ContinuousClock() } }
  var patientTill: Factory<PatientTill> { self { PatientTill(clock: self.patientClock()) } }
}

extension Resolver {
  /// What production's wiring does.
  static func registerPatientTill() {
    main.register { ContinuousClock() as any Clock<Duration> }
    main.register(PatientTill.init(clock:))
  }
}
