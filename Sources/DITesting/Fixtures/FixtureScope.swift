#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import XCTest

/// The fixtures that surround a test, innermost first.
final class FixtureScope: Sendable {
  let fixture: any Fixture
  let lifetime: FixtureLifetime
  let outer: FixtureScope?

  @TaskLocal static var current: FixtureScope?
  /// The frame of the test that asked for the fixture that is being built.
  @TaskLocal static var asker: ContextFrame?
  /// The fixture that is being built.
  @TaskLocal static var builder: (any Fixture)?

  init(_ fixture: any Fixture, _ lifetime: FixtureLifetime, outer: FixtureScope?) {
    (self.fixture, self.lifetime, self.outer) = (fixture, lifetime, outer)
  }

  /// The fixtures that are open here, innermost first.
  private static var open: [FixtureScope] {
    current.map { Array(sequence(first: $0, next: \.outer)) } ?? []
  }

  /// Returns the fixture of a plan, if it is open here.
  static func fixture(of plan: FixturePlan.ID) -> (any Fixture)? {
    open.first { $0.fixture.plan == plan }?.fixture
  }

  /// The frame that a new fixture is built in: that of the innermost one that lives as long.
  static func frame(for lifetime: FixtureLifetime) -> ContextFrame? {
    open.first { lifetime == .suite || $0.lifetime == .run }?.fixture.frame
  }

  // MARK: Registrations

  private static let places = Lock<Set<CodeLocation>>([])

  static func noteRegistered(at place: CodeLocation) {
    places.withLock { _ = $0.insert(place) }
  }

  /// Whether a double returns a fixture: a test need not ask for it.
  static func isRegistered(at place: CodeLocation) -> Bool {
    places.withLock { $0.contains(place) }
  }

  // MARK: The run

  private struct Run {
    var fixtures: [FixturePlan.ID: any Fixture] = [:]
    /// Those that were built, in order.
    var built: [any Fixture] = []
    /// How many tests with a fixture of the run there are, and how many of them have ended.
    var planned = 0
    var ended = 0
  }

  private static let run = Lock(Run())

  /// Notes a test that will run with a fixture of the run.
  static func willRun() { run.withLock { $0.planned += 1 } }

  /// Notes the end of such a test; after the last one, tears the fixtures down.
  static func didRun() async throws {
    let isLast = run.withLock { run in
      run.ended += 1
      guard run.ended >= run.planned else { return false }
      // The tests may be repeated.
      run.ended = 0
      return true
    }
    if isLast { try await endRun() }
  }

  /// Whether there is a fixture of the run to tear down.
  static var isAnyOfRunBuilt: Bool { run.withLock { !$0.built.isEmpty } }

  /// Tears the run's fixtures down, the latest first; throws the first error.
  static func endRun() async throws {
    let (fixtures, built) = run.withLock { run in
      defer { (run.fixtures, run.built) = ([:], []) }
      return (run.fixtures, run.built)
    }
    var error: (any Error)?
    for fixture in built.reversed() {
      do { try await fixture.end() } catch let failure { error = error ?? failure }
    }
    for fixture in fixtures.values { fixture.frame?.end() }
    if let error { throw error }
  }

  /// Returns the run's fixture of a plan, which the first caller makes.
  static func ofRun(_ plan: FixturePlan) -> any Fixture {
    if let fixture = run.withLock({ $0.fixtures[plan.id] }) { return fixture }
    let new = plan.make(frame(for: .run))
    return run.withLock { run in
      if let first = run.fixtures[plan.id] { return first }
      run.fixtures[plan.id] = new
      return new
    }
  }

  /// Notes that a fixture was built, in case it is one of the run.
  static func built(_ fixture: any Fixture) {
    run.withLock { if $0.fixtures[fixture.plan] === fixture { $0.built.append(fixture) } }
  }
}

// XCTest's classes keep their fixtures here. It waits for no async code at the end of a class or a
// bundle, so this does.

extension FixtureScope {
  private static let ofClasses = Lock<[ObjectIdentifier: [(FixturePlan.ID, any Fixture)]]>([:])

  /// Returns the fixtures of a test of a class, in the order of its list.
  static func open(_ plans: [FixturePlan], of testCase: XCTestCase.Type) -> [any Fixture] {
    var scope: FixtureScope?
    return plans.map { plan in
      let fixture = $current.withValue(scope) {
        switch plan.lifetime {
        case nil: plan.make(nil)
        case .suite?: ofClass(plan, in: ObjectIdentifier(testCase))
        case .run?: ofRun(plan)
        }
      }
      if let lifetime = plan.lifetime {
        scope = FixtureScope(fixture, lifetime, outer: scope)
      }
      return fixture
    }
  }

  private static func ofClass(_ plan: FixturePlan, in testCase: ObjectIdentifier) -> any Fixture {
    let known = ofClasses.withLock { $0[testCase]?.first { $0.0 == plan.id }?.1 }
    if let known { return known }
    // XCTest runs one test at a time.
    let new = plan.make(frame(for: .suite))
    ofClasses.withLock { $0[testCase, default: []].append((plan.id, new)) }
    return new
  }

  /// Tears the fixtures of a class down, the last in its list first.
  static func end(of testCase: XCTestCase.Type) {
    let fixtures = ofClasses.withLock { $0.removeValue(forKey: ObjectIdentifier(testCase)) } ?? []
    end(fixtures.map(\.1))
  }

  /// Tears down the fixtures of classes that have ended, whose own `tearDown` did not.
  static func endClasses() {
    let left = ofClasses.withLock { exchange(&$0, with: [:]) }
    for fixtures in left.values { end(fixtures.map(\.1)) }
  }

  /// Tears fixtures down, the last first, and waits for it.
  static func end(_ fixtures: [any Fixture]) {
    for fixture in fixtures.reversed() where fixture.isBuilt {
      wait { try await fixture.end() }
    }
  }

  /// Tears the run's fixtures down at the end of a bundle, and waits for it.
  static func endBundle() { if isAnyOfRunBuilt { wait { try await endRun() } } }

  private static func wait(_ end: @escaping @Sendable () async throws -> Void) {
    let done = XCTestExpectation(description: "fixtures are torn down")
    Task {
      await reporting(end)
      done.fulfill()
    }
    // The main thread goes on running what is dispatched to it.
    if XCTWaiter.wait(for: [done], timeout: 60) != .completed { reportEndless() }
  }

  /// Tears down at the process's end what no test's end has: where tests that were planned did not
  /// run, nobody knows of an earlier end.
  static func endProcess() {
    if !isAnyOfRunBuilt { return }
    // Swift Testing ends the process on another thread than the main one, which is free for what is
    // of the main actor.
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await reporting { try await endRun() }
      done.signal()
    }
    if done.wait(timeout: .now() + 60) != .success { reportEndless() }
  }

  private static func reporting(_ end: () async throws -> Void) async {
    do {
      try await end()
    } catch {
      IssueReporter.fail("\(error)", at: CodeLocation())
    }
  }

  private static func reportEndless() {
    IssueReporter.fail("A fixture was not torn down within a minute.", at: CodeLocation())
  }
}
#endif
