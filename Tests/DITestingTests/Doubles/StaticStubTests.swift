@testable import DITesting
import Testing
import XCTest

private protocol Counter {
  static func make(_ name: String) -> Int
}

private final class CounterDouble: Counter {
  static var makeStub: Stub<String, Int, Never> { .shared("Counter.make(_:)", of: Self.self) }
  static func make(_ name: String) -> Int { makeStub.call(name) }
}

private final class LoaderDouble {
  static var loadStub: AsyncStub<String, Int, Never> { .shared("Loader.load(_:)", of: Self.self) }
}

/// What each of two suites does at the same time, in a test with the name that the other's has.
private func makes(_ number: Int) async {
  CounterDouble.makeStub.returns(number)
  for _ in 0..<20 {
    await Task.yield()
    #expect(CounterDouble.make("\(number)") == number)
  }
  #expect(CounterDouble.makeStub.calls == Array(repeating: "\(number)", count: 20))
}

@Suite("The stub of a static requirement", .sandbox)
struct StaticStubTests {
  @Test("is each sandbox's own where the requirement is async")
  func async() async {
    LoaderDouble.loadStub.returns(7)
    #expect(await LoaderDouble.loadStub.call("tea") == 7)
    #expect(LoaderDouble.loadStub.calls == ["tea"])
  }

  @Test("is each sandbox's own", arguments: 0..<200)
  func perCase(number: Int) async { await makes(number) }
}

@Suite("The stub of a static requirement, with no sandbox")
struct StaticStubWithoutSandboxTests {
  @Test("is each test case's own where a trait opens any scope", .recorded, arguments: 0..<50)
  func perCase(number: Int) async { await makes(number) }

  @Suite("is a test's own whose name another has", .recorded)
  struct First {
    @Test("while both run") func own() async { await makes(1) }
  }

  @Suite("is its own in the other, too", .recorded)
  struct Second {
    @Test("while both run") func own() async { await makes(2) }
  }

  @Test("is an issue where nothing is open: others would share it")
  func nothingOpen() throws {
    let location = try #require(Test.current?.sourceLocation)
    let text = """
      The stub of `Counter.make(_:)` would be shared: a static requirement needs a scope in which \
      its stub lives.

        test:  is an issue where nothing is open: others would share it, at \
      DITestingTests/StaticStubTests.swift:\(location.line)

      To fix this:
        - Add the `.sandbox` trait to the test or its suite, or use `withSandbox`.
      """
    expectIssue(text, atLine: UInt(location.line)) {
      CounterDouble.makeStub.returns(3)
    }
    // Said once.
    #expect(CounterDouble.make("again") == 3)
  }
}

#if os(Linux)
final class StaticStubXCTests: XCTestCase {
  func testAStubOfAStaticRequirementEndsWithItsTest() {
    TestHooks.install()
    let observer = XCTestCaseObserver()
    observer.testCaseWillStart(self)
    CounterDouble.makeStub.returns(1)
    XCTAssertEqual(CounterDouble.make("first"), 1)
    XCTAssertEqual(CounterDouble.makeStub.calls, ["first"])
    observer.testCaseDidFinish(self)
    observer.testCaseWillStart(self)
    XCTAssertEqual(CounterDouble.makeStub.calls, [])
  }
}
#endif
