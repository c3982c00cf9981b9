import App
import DITesting
import XCTest

// The same in XCTest, where warnings go to standard error.

final class CartXCTests: SandboxTestCase {
  override func setUp() {
    Resolver.register { Spy() as any Mailer }  // with the suite: no test resolves it
  }

  override func setUp() async throws {
    registerScales()
  }

  func testBoots() {
    AppWiring.register()
    _ = Resolver.resolve((any Scales).self)
  }

  func testAudits() {
    registerAudit()
  }

  func testAuditsAgain() async {
    registerAudit()
  }
}

/// Opens its sandbox itself: what is registered there is shared set-up.
final class PlainXCTests: XCTestCase {
  override func setUp() {
    let sandbox = Sandbox.open()
    addTeardownBlock { sandbox.close() }
    registerScales()
  }

  func testWeighs() {
    _ = Resolver.resolve((any Scales).self)
  }

  func testWeighsAgain() {}
}

private func registerScales() {
  Resolver.register { Spy() as any Scales }
}

private func registerAudit() {
  Resolver.register { Spy() as any Audit }  // once: of two tests none resolves it
}
