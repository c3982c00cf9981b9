import DITesting
import StorefrontKit
import XCTest

/// The same shop in XCTest: a base class takes the place of the traits.
final class ShopXCTests: SandboxTestCase {
  private let terminal = TerminalDouble()
  private let mailer = MailerDouble()

  override var allowedBoundaries: [String]? { [] }

  override func registerDoubles(in root: Resolver) {
    Resolver.wireStorefront()
    double(terminal)
    double(mailer)
    root.register {
      StubClock(today: CalendarDate(year: 2026, month: 1, day: 15)) as any StoreClock
    }
    root.register((any OrderSource).self) {
      StubOrders("1001, ada@example.com, card, TEA-GREEN x 2; MUG-BLUE x 1")
    }
  }

  func testChargesAndMails() {
    XCTAssertEqual(StorefrontCommand(arguments: []).run(), .success)
    XCTAssertEqual(
      terminal.write.calls, ["Orders: 1 charged, 0 declined, 0 rejected, 0 malformed"])
    XCTAssertEqual(mailer.send.calls.map(\.recipient), ["ada@example.com"])
    expectResolved((any Mailer).self, times: 1)
    expectResolved((any PaymentGateway).self, name: .card, times: 1)
  }

  func testADoubleOfTheTestWins() {
    Resolver.register((any PaymentGateway).self, name: .card) { FakeGateway(method: .card) }
    XCTAssertEqual(StorefrontCommand(arguments: []).run(), .success)
    XCTAssertEqual(mailer.send.calls.first?.body.last, "Paid by card, reference fake-card-1001.")
  }

  func testTheShopWorksOffTheTask() async {
    let outcome = await Task.detached { StorefrontCommand(arguments: []).run() }.value
    XCTAssertEqual(outcome, .success)
    expectCalled(mailer.send, times: 1)
  }

  func testARootThatIsSwapped() {
    let mock = Resolver(child: .main)
    mock.register((any OrderSource).self) { StubOrders() }
    Resolver.root = mock
    XCTAssertEqual(StorefrontCommand(arguments: []).run(), .success)
    XCTAssertEqual(
      terminal.write.calls, ["Orders: 0 charged, 0 declined, 0 rejected, 0 malformed"])
    expectNotResolved((any Mailer).self)
  }

  func testWrongArgumentsTouchNothingButTheTerminal() {
    XCTAssertEqual(StorefrontCommand(arguments: ["--ordres"]).run(), .unusable)
    XCTAssertEqual(terminal.writeError.calls.first, #"Storefront: unknown argument "--ordres""#)
    expectOnlyDoublesResolved()
  }
}
