import DIContainer
import DITesting
import TestSupport
import XCTest

private let builds = Counter()
private let ends = Counter()

final class FixtureXCTests: SandboxTestCase {
  override class var fixtures: [FixtureTrait] {
    [
      .keep(\.ledgerTemplate, for: .suite) {
        builds.increment()
        return Ledger("template")
      } tearDown: { _ in
        await Task.yield()
        ends.increment()
      },
      .keep(Ledger.self, for: .run) { Ledger("run") },
      .each(\.ledger, from: \.ledgerTemplate) { $0.copy() },
    ]
  }

  override var strictness: Strictness { .fail }

  override class func tearDown() {
    XCTAssertEqual(ends.value, 0)
    super.tearDown()
    precondition(ends.value == 1, "the class's fixture was not torn down")
  }

  func testIsBuiltOnce() { expectShared() }
  func testIsBuiltOnceForAsyncTests() async { expectShared() }

  private func expectShared() {
    XCTAssertEqual(Container.shared.ledgerTemplate().name, "template")
    XCTAssertEqual(Container.shared.ledger().name, "copy of template")
    XCTAssertTrue(Container.shared.ledger() === Container.shared.ledger())
    XCTAssertEqual(Resolver.resolve(Ledger.self).name, "run")
    XCTAssertEqual(builds.value, 1)
    XCTAssertEqual(ends.value, 0)
  }
}

private let lateBuilds = Counter()
private let lateEnds = Counter()

/// A class whose `tearDown` does not call that of `SandboxTestCase`.
final class FixtureWithoutSuperXCTests: SandboxTestCase {
  override class var fixtures: [FixtureTrait] {
    [
      .keep(\.auditor, for: .suite) {
        lateBuilds.increment()
        return "auditor"
      } tearDown: { _ in
        lateEnds.increment()
      }
    ]
  }

  override class func tearDown() {}

  func testBuildsIt() { XCTAssertEqual(Container.shared.auditor(), "auditor") }
}

/// Runs after it.
final class FixtureWithoutSuperXCTestsEnd: XCTestCase {
  func testItsFixtureWasTornDown() { XCTAssertEqual(lateEnds.value, lateBuilds.value) }
}
