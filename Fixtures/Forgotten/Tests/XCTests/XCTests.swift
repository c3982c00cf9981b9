import DITesting
import Foundation
import Shop
import XCTest

// In the order in which XCTest runs them; `check.sh` knows what each of them hears.

/// The first test of the process: nothing of the library was used before.
final class A1ForgetsALayer: XCTestCase {
  func test1Pushes() {
    _ = Resolver.push { $0.register { FakeMailer() as any Mailer } }
  }

  func test2PushesAgain() {
    XCTAssertNil(Resolver.optional((any Mailer).self))
    Resolver.pop(Resolver.push { _ in })
  }
}

final class A2RegistersInSetUp: XCTestCase {
  override class func setUp() {
    if ProcessInfo.processInfo.environment["FORGOTTEN_FAILS"] != nil {
      Sandbox.processChanges = .fail
    }
  }

  override func setUp() {
    Resolver.register { FakeMailer() as any Mailer }
  }

  func test1() {}
  func test2() {}
}

final class A3RegistersInAnAsyncTest: XCTestCase {
  func test1() async {
    Resolver.register(name: "async") { FakeMailer() as any Mailer }
  }
}

final class A4RegistersForTheClass: SandboxTestCase {
  override class func setUp() {
    Resolver.register(name: "class") { FakeMailer() as any Mailer }
  }

  func test1() {
    Resolver.register(name: "sandboxed") { FakeMailer() as any Mailer }
    _ = Resolver.resolve((any Mailer).self, name: "sandboxed")
  }
}

final class A5TakesBack: XCTestCase {
  override func setUp() {
    Resolver.register(name: "taken back") { FakeMailer() as any Mailer }
    Resolver.root = Resolver(child: .main)
    Warehouse.shared.manager.push()
    Warehouse.shared.mailer.register { FakeMailer() }
  }

  override func tearDown() {
    Resolver.main.remove((any Mailer).self, name: "taken back")
    Resolver.root = .main
    Warehouse.shared.manager.pop()
  }

  func test1() {}
}

final class A6SwapsTheRoot: XCTestCase {
  override func setUp() {
    Container.shared = Resolver(child: .main)
  }

  func test1() {}
  func test2() {}
}

final class A7RegistersByKeyPath: XCTestCase {
  private let own = Warehouse()

  func test1() {
    own.mailer.register { FakeMailer() }
    Warehouse.shared.mailer.register { FakeMailer() }
  }
}

final class A8MeansIt: XCTestCase {
  func test1() {
    Wiring.registered
    Resolver.production { _ = Resolver.register(name: "meant") { FakeMailer() as any Mailer } }
  }
}

final class A9Resets: XCTestCase {
  func test1() {
    Resolver.reset()
  }
}

/// Alone in its process, an async test may be over before the main thread hears of it.
final class B1ForgetsALayerInAnAsyncTest: XCTestCase {
  func test1() async {
    if ProcessInfo.processInfo.environment["FORGOTTEN_FAILS"] == nil { return }
    _ = Resolver.push { $0.register { FakeMailer() as any Mailer } }
  }
}

/// Alone in its process: XCTest drops failures while no test runs.
final class B2FailsForTheClass: XCTestCase {
  override class func setUp() {
    if ProcessInfo.processInfo.environment["FORGOTTEN_FAILS"] == nil { return }
    let layer = Resolver.push { _ in }
    Resolver.pop(layer)
    Resolver.pop(layer)
  }

  func test1() {}
}
