@testable import DITesting

// What tests of tests that change the process share. Each runs in a process of its own, with names
// of tests that it makes up.

/// A test with a name that several tests may have.
struct MadeUpTest: ExpressibleByStringLiteral {
  let name: String
  let line: UInt

  init(_ name: String, line: UInt = 7) { (self.name, self.line) = (name, line) }
  init(stringLiteral name: String) { self.init(name) }
}

/// Runs a body in a process whose reports go to a collector, and whose running test it names.
///
/// `isAlone`: whether one test runs at a time, as in XCTest.
func process(isAlone: Bool = false, _ body: (Lock<MadeUpTest?>, Issues) -> Void) {
  let issues = Issues()
  let test = Lock<MadeUpTest?>(nil)
  ProcessHooks.bind(
    ProcessHooks(
      currentTest: { test.withLock { $0?.name } },
      testLocation: {
        isAlone
          ? nil
          : test.withLock {
            CodeLocation(
              fileID: "Shop/Tests.swift", filePath: "", line: $0?.line ?? 7, column: 1)
          }
      },
      mayBePlanning: { isAlone && test.withLock { $0 } == nil },
      isInTest: { !isAlone && test.withLock { $0 } != nil },
      runsOneTestAtATime: { isAlone }, report: issues.handler))
  body(test, issues)
}

final class ChangedDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension ChangedDepot {
  var basket: Factory<Basket> { self { Basket() } }
}

final class HandWrittenDepot: SharedContainer {
  static let shared = HandWrittenDepot()
  let manager = ContainerManager()
}

extension HandWrittenDepot {
  var basket: Factory<Basket> { self { Basket() } }
}

/// Production's code that registers late, in a module of its own.
enum LateWiring {
  static func register() {
    Resolver.register(fileID: "App/Wiring.swift", line: 3) { Basket() }
  }
}
