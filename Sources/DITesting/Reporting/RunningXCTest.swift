#if canImport(Testing) && canImport(XCTest)
import DIContainer
import XCTest

extension XCTestRun {
  /// Whether an error or a skip ended the test.
  var wasCutShort: Bool { hasBeenSkipped || unexpectedExceptionCount > 0 }
}

/// The running test of XCTest, which runs one at a time.
enum RunningXCTest {
  private struct Current {
    var name: String?
    /// The test case's class, if the observer was notified of it.
    var type: XCTestCase.Type?
    /// Whether an error or a skip ended the test, if the observer was notified of it.
    var wasCutShort: @Sendable () -> Bool = { false }
    var isBetweenTests = false
    var betweenTests: [@Sendable () -> Void] = []
  }

  private static let state = Lock(Current())
  /// Whether a test was ever named; checked whenever a scope opens.
  private static let isNaming = Atomic()

  static var name: String? { isNaming.isSet ? state.withLock { $0.name } : nil }
  static var module: Substring? {
    state.withLock { $0.type }.map { Substring(String(reflecting: $0).prefix { $0 != "." }) }
  }
  static var wasCutShort: Bool { isNaming.isSet && state.withLock { $0.wasCutShort }() }
  static var isBetweenTests: Bool { state.withLock { $0.isBetweenTests } }

  /// Sets the name of the running test, for test cases that report it themselves.
  static func set(_ test: String?) {
    isNaming.set(true)
    state.withLock { $0.name = test }
  }

  static func begin(_ testCase: XCTestCase) {
    isNaming.set(true)
    for body in state.withLock({ $0.betweenTests }) { body() }
    // Unchecked: it is read while no test code runs that would change it.
    let run = Unchecked(testCase.testRun)
    state.withLock { state in
      state.name = testCase.name
      state.wasCutShort = { run.value?.wasCutShort ?? false }
      state.type = Swift.type(of: testCase)
      state.isBetweenTests = false
    }
  }

  static func end(_ testCase: XCTestCase) {
    for body in state.withLock({ $0.betweenTests }) { body() }
    state.withLock { $0 = Current(isBetweenTests: true, betweenTests: $0.betweenTests) }
  }

  /// Calls a closure whenever a test begins or has ended.
  static func betweenTests(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.betweenTests.append(body) }
  }
}
#endif
