import DITesting
import Dispatch
import TestSupport
import XCTest

extension Resolver {
  fileprivate static let deskShop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.unique)
  }
}

/// A global object that the first of these tests makes, and the others use.
private final class GlobalDesk {
  nonisolated(unsafe) static let shared = GlobalDesk()

  @LazyInjected(container: .deskShop) var payments: any Payments
  @LazyInjected(container: .deskShop) var spare: any Payments
  @DynamicInjected(\.deskNote) var note
}

extension Container {
  fileprivate var deskNote: Factory<String> { self { "live" } }
}

final class GlobalObjectTests: XCTestCase {
  private func inOpenSandbox(_ label: String, _ body: () -> Void) {
    let sandbox = Sandbox.open { _ in
      Resolver.deskShop.register { FakePayments(label) as any Payments }
      Container.shared.deskNote.register { label }
    }
    body()
    sandbox.close()
  }

  func testALazyPropertyOfAGlobalObjectServesEveryTest() {
    for label in ["one", "two"] {
      inOpenSandbox(label) {
        XCTAssertEqual(GlobalDesk.shared.payments.label, label)
        XCTAssertEqual(GlobalDesk.shared.note, label)
      }
    }
    XCTAssertEqual(GlobalDesk.shared.spare.label, "live")
    XCTAssertEqual(GlobalDesk.shared.note, "live")
  }
}

extension Container {
  fileprivate var queuedNote: Factory<String> { self { "live" } }
}

/// A global object that works on a queue: an earlier test made it, with or without doubles.
private final class QueuedDesk: @unchecked Sendable {
  @LazyInjected var payments: any Payments
  @LazyInjected(\.queuedNote) var kept
  @DynamicInjected(\.queuedNote) var note

  func later(_ receive: @escaping @Sendable (_ labels: [String]) -> Void) {
    DispatchQueue.global().async { receive([self.payments.label, self.kept, self.note]) }
  }
}

final class QueuedGlobalObjectTests: SandboxTestCase {
  private func labels(of desk: QueuedDesk) -> [String] {
    let (answered, labels) = (expectation(description: "answered"), Lock<[String]>([]))
    desk.later { answer in
      labels.withLock { $0 = answer }
      answered.fulfill()
    }
    wait(for: [answered], timeout: 60)
    return labels.withLock { $0 }
  }

  private func register(_ label: String) {
    Resolver.register { FakePayments(label) as any Payments }
    Container.shared.queuedNote.register { label }
  }

  func testWhatAnEarlierTestUsedIsServedWithTheDoublesOfThisOne() {
    let desk = withSandbox {
      register("first")
      let desk = QueuedDesk()
      XCTAssertEqual([desk.payments.label, desk.kept, desk.note], ["first", "first", "first"])
      return desk
    }
    register("second")
    XCTAssertEqual(labels(of: desk), ["second", "second", "second"])
  }

  func testWhatAnEarlierTestMadeWithoutDoublesIsServedWithThoseOfThisOne() {
    let desk = withSandbox { QueuedDesk() }
    register("second")
    XCTAssertEqual(labels(of: desk), ["second", "second", "second"])
  }
}
