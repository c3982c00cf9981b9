#if os(Linux)
@testable import DITesting
import XCTest

extension Resolver {
  fileprivate static let listedShop = Resolver { r in
    r.register { LivePayments() as any Payments }
  }
}

extension Container {
  fileprivate var listedNote: Factory<String> { self { "live" } }
}

/// What is under test, made with the test case.
private final class ListedClerk {
  static let line: UInt = #line + 1
  @Injected(container: .listedShop) var payments: any Payments
  @LazyInjected(container: .listedShop) var spare: any Payments
  @DynamicInjected(\.listedNote) var note
}

private func text(_ service: String, line: UInt) -> String {
  """
  `\(service)` was resolved before any test began: it is the live service.

    requested:  DITestingTests/StoredPropertyTests.swift:\(line)

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

  override func invokeTest() {
    super.invokeTest()
    let expected = text("any Payments", line: ListedClerk.line)
    XCTAssertEqual(Self.taken.withLock { $0 }, ["failed - " + expected])
  }

  func testAStrictTestFailsOnceForWhatItsStoredPropertiesResolved() {
    XCTAssertEqual(sut.payments.label, "live")
  }

  func testWhatAsksWhenItIsUsedGetsTheDouble() {
    XCTAssertEqual(sut.spare.label, "double")
    XCTAssertEqual(sut.note, "double")
  }
}
#endif
