import App
import DITesting
import XCTest

// The same in XCTest, where warnings go to standard error.

final class CartXCTests: SandboxTestCase {
  override func setUp() {
    Resolver.register { Spy() as any Mailer }
  }

  override func setUp() async throws {
    registerScales()
  }

  func testBoots() {
    AppWiring.register()
  }

  func testAudits() {
    registerAudit()
  }

  func testAuditsAgain() async {
    registerAudit()
  }
}

/// Opens its sandbox itself: what several of its tests register is shared set-up.
final class PlainXCTests: XCTestCase {
  override func setUp() {
    let sandbox = Sandbox.open()
    addTeardownBlock { sandbox.close() }
    registerScales()
  }

  func testWeighs() {}

  func testWeighsAgain() {}
}

private func registerScales() {
  Resolver.register { Spy() as any Scales }
}

private func registerAudit() {
  Resolver.register { Spy() as any Audit }  // once: of two tests none resolves it
}
