import DITesting
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
