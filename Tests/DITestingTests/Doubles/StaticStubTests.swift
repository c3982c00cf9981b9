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
  static var rowStub: Stub<Int, @Sendable () -> (any Decodable)?, Never> {
    .shared("Loader.row(_:)", of: Self.self)
  }
  static var loadRowStub: AsyncStub<Int, @Sendable () -> (any Decodable)?, Never> {
    .shared("Loader.loadRow(_:)", of: Self.self)
  }
}

private protocol Journal {
  static func note(_ text: String)
  static func note(_ number: Int)
  static func find(_ text: String) -> String?
}

private final class JournalDouble: Journal {
  static let firstLine: UInt = #line
  static var noteString: Stub<String, Void, Never> { .shared("Journal.note(_:)", of: Self.self) }
  static func note(_ text: String) { noteString.call(text) }

  static var noteInt: Stub<Int, Void, Never> { .shared("Journal.note(_:)", of: Self.self) }
  static func note(_ number: Int) { noteInt.call(number) }

  static var findStub: Stub<String, String?, Never> { .shared("Journal.find(_:)", of: Self.self) }
  static func find(_ text: String) -> String? { findStub.call(text) }
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

  @Test("is nil where it makes an optional and nothing is stubbed", .lenient)
  func optional() async {
    #expect(LoaderDouble.rowStub.call(3)() == nil)
    #expect(await LoaderDouble.loadRowStub.call(3)() == nil)
  }

  @Test("is each sandbox's own", arguments: 0..<200)
  func perCase(number: Int) async { await makes(number) }

  @Test("is registered nowhere, of which nothing is said where it was not called")
  func unregistered() {
    expectIssue(
      """
      Expected `Counter.make(_:)` to be called, but it was not.

      No stub was called.
      """, atLine: #line + 1
    ) { expectCalled(CounterDouble.makeStub) }
  }

  @Test("is not that of an overload with the same name")
  func overloads() {
    JournalDouble.note("a")
    JournalDouble.note(1)
    #expect(JournalDouble.noteString.calls == ["a"])
    #expect(JournalDouble.noteInt.calls == [1])
  }

  @Test("was made where its double declares it")
  func declaration() throws {
    let location = try #require(Test.current?.sourceLocation)
    let file = "DITestingTests/StaticStubTests.swift"
    expectIssue(
      """
      `Journal.find(_:)` was called, but nothing is stubbed for this call.

        called:  ("a")
        made:    \(file):\(JournalDouble.firstLine + 7)
        test:    was made where its double declares it, at \(file):\(location.line)

      To fix this:
        - Stub it before the call: `.returns(…)` or `.runs { … }`.
        - If it does not matter here, mark it: `.lenient()` on the stub, or the `.lenient` trait.
      """, atLine: UInt(location.line)
    ) { _ = JournalDouble.find("a") }
  }

  @Test("is the test's own in work that carries the context")
  func carried() async {
    let note = ResolutionContext.carrying { JournalDouble.note("b") }
    await Task.detached { note() }.value
    #expect(JournalDouble.noteString.calls == ["b"])
  }
}

// Each in a process of its own: see UnscopedWorld.swift.

@Suite("The stub of a static requirement, in work that belongs to no test,")
struct UnscopedStaticStubTests {
  /// What detached work gets that stubs the requirement, and then what other such work gets.
  private static func detached() async -> [String?] {
    await Task.detached { JournalDouble.findStub.returns("detached") }.value
    return await Task.detached { [JournalDouble.find("a"), JournalDouble.find("b")] }.value
  }

  @Test("is that of the process, which the sandbox reports once")
  func warns() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        let location = CodeLocation()
        await sandbox("checkout", at: location) {
          #expect(await Self.detached() == ["detached", "detached"])
          #expect(JournalDouble.findStub.calls == [])
          JournalDouble.findStub.lenient()
          #expect(JournalDouble.find("c") == nil)
          #expect(issues.all.isEmpty)
        }
        let text = """
          The stub of `Journal.find(_:)` was used by work that belongs to no test, while this \
          sandbox was open: it was that of the process.

            made:    DITestingTests/StaticStubTests.swift:\(JournalDouble.firstLine + 7)
            thread:  another than main
            open:    checkout, at \(location)

          To fix this:
          \(carryingAdvice)
          """
        #expect(issues.all.map(\.text) == [text])
        #expect(issues.all.map(\.severity) == [.warning])
        #expect(issues.all.map(\.location.line) == [JournalDouble.firstLine + 7])
      }
    }
  }

  @Test("is an error where the sandbox says `.fail`")
  func fails() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await sandbox("checkout", .fail) {
          #expect(await Self.detached() == ["detached", "detached"])
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("is that of the process, silently, where the sandbox says `.allow`")
  func allows() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await sandbox("checkout", .allow) {
          #expect(await Self.detached() == ["detached", "detached"])
          #expect(JournalDouble.findStub.calls == [])
        }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("is the sandbox's where the sandbox says `.adopt`")
  func adopts() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await sandbox("checkout", .adopt) {
          #expect(await Self.detached() == ["detached", "detached"])
          #expect(JournalDouble.findStub.calls == ["a", "b"])
        }
        #expect(issues.all.isEmpty)
      }
    }
  }
}

@Suite(
  "The stub of a static requirement, in a sandbox inside another",
  .sandbox { _ in JournalDouble.findStub.returns("outer") })
struct NestedStaticStubTests {
  @Test("returns what is stubbed around the sandbox", .sandbox)
  func inherits() {
    #expect(JournalDouble.find("a") == "outer")
    withSandbox { #expect(JournalDouble.find("b") == "outer") }
    #expect(JournalDouble.findStub.calls == ["a"])
  }

  @Test("returns what is stubbed in the sandbox, there alone", .sandbox)
  func own() {
    withSandbox {
      JournalDouble.findStub.when { $0 == "a" }.returns("inner")
      #expect(JournalDouble.find("a") == "inner")
      #expect(JournalDouble.find("b") == "outer")
    }
    #expect(JournalDouble.find("a") == "outer")
  }

  @Test("names what is stubbed around the sandbox where that is used up")
  func usedUp() {
    JournalDouble.findStub.returns("first", "second")
    let line: UInt = #line - 1
    let issues = findings {
      #expect(JournalDouble.find("a") == "first")
      #expect(JournalDouble.find("a") == "second")
      #expect(JournalDouble.find("a") == nil)
    }
    let stubbed = "DITestingTests/StaticStubTests.swift:\(line), 2 results, all used"
    #expect(issues.count == 1)
    #expect(issues.allSatisfy { $0.text.contains(stubbed) })
  }
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

  func testASandboxReturnsWhatItsTestStubbedOutside() {
    // The name of a process's first test is not known.
    for test in [name, nil] {
      RunningXCTest.set(test)
      JournalDouble.findStub.reset()
      JournalDouble.findStub.returns("outside")
      withSandbox {
        XCTAssertEqual(JournalDouble.find("a"), "outside")
        JournalDouble.findStub.returns("inside")
        XCTAssertEqual(JournalDouble.find("a"), "inside")
      }
      XCTAssertEqual(JournalDouble.find("b"), "outside")
      XCTAssertEqual(JournalDouble.findStub.calls, ["b"])
    }
    RunningXCTest.set(name)
  }
}
#endif
