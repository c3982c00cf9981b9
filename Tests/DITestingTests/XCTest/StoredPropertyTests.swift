#if os(Linux)
@testable import DITesting
import XCTest

extension Resolver {
  fileprivate static let listedShop = Resolver { r in
    r.register { LivePayments() as any Payments }
  }
}

extension Container {
  fileprivate var listedDate: Factory<String> { self { "today" } }
  fileprivate var listedNote: Factory<String> { self { "live" } }
}

/// What is under test, made with the test case.
private final class ListedClerk {
  static let line: UInt = #line + 1
  @Injected(container: .listedShop) var payments: any Payments
  @LazyInjected(container: .listedShop) var spare: any Payments
  @DynamicInjected(\.listedNote) var note
}

private func text(_ service: String, line: UInt, testCase: String) -> String {
  """
  `\(service)` was resolved before any test began: it is the live service.

    requested:  DITestingTests/StoredPropertyTests.swift:\(line)
    test case:  `\(testCase)`

  To fix this:
    - Set the stored property that resolves it in `setUp`, or make it `lazy`: XCTest makes every \
  test case before the first test runs.
    - Or declare the dependency as `@LazyInjected` or `@DynamicInjected`: they resolve when they are \
  used.
  """
}

/// A stored property of a test case is made before its sandbox.
final class StoredPropertyTests: SandboxTestCase {
  private static let taken = Lock<[String]>([])
  private let sut = ListedClerk()

  override var strictness: Strictness { .fail }

  override func registerDoubles(in root: Resolver) {
    Resolver.listedShop.register { FakePayments("double") as any Payments }
    Container.shared.listedNote.register { "double" }
  }

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if description.contains("before any test began"), lineNumber == ListedClerk.line {
      Self.taken.withLock { $0.append(description) }
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  func testAStrictTestFailsOnceForWhatItsStoredPropertiesResolved() {
    let expected = text("any Payments", line: ListedClerk.line, testCase: "StoredPropertyTests")
    XCTAssertEqual(Self.taken.withLock { $0 }, ["failed - " + expected])
    XCTAssertEqual(sut.payments.label, "live")
  }

  func testWhatAsksWhenItIsUsedGetsTheDouble() {
    XCTAssertEqual(Self.taken.withLock { $0 }.count, 1)
    XCTAssertEqual(sut.spare.label, "double")
    XCTAssertEqual(sut.note, "double")
  }
}

/// A suite that cannot change its base class.
final class PlainStoredPropertyTests: XCTestCase {
  private static let line: UInt = #line + 1
  @Injected(\.listedDate) private var date: String
  private static let told = Lock(0)

  override func setUp() {
    let issues = StoredProperties.issues(of: Self.self)
    if !issues.isEmpty {
      // Which plain test cases stand beside it, between two sandboxed ones, is no matter.
      let made = issues[0].text.components(separatedBy: "test case:  ")[1]
        .components(separatedBy: "\n")[0]
      XCTAssert(made.contains("`\(Self.self)`"))
      XCTAssertEqual(
        issues.map { $0.text.replacingOccurrences(of: made, with: "`\(Self.self)`") },
        [text("listedDate: String", line: Self.line, testCase: "\(Self.self)")])
      XCTAssertEqual(issues.map(\.severity), [.warning])
      Self.told.withLock { $0 += 1 }
    }
    let sandbox = Sandbox.open { _ in Container.shared.listedDate.register { "Christmas Eve" } }
    addTeardownBlock { sandbox.close() }
  }

  func testAValueIsTheLiveOneAndSaysSoWhenASandboxIsOpened() {
    XCTAssertEqual(date, "today")
    XCTAssertEqual(Container.shared.listedDate(), "Christmas Eve")
    XCTAssertEqual(Self.told.withLock { $0 }, 1)
  }

  func testItSaysSoOnce() {
    XCTAssertEqual(Self.told.withLock { $0 }, 1)
    XCTAssertEqual(StoredProperties.issues(of: Self.self).count, 0)
  }
}
#endif
