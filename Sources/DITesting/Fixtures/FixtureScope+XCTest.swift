#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import XCTest

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
