import DITesting
import Testing

private protocol CashBox {
  func pay(_ cents: Int)
}

private final class CashBoxDouble: CashBox, TestDouble {
  static func asDoubled(_ double: CashBoxDouble) -> any CashBox { double }

  let paid = Stub<Int, Int?, Never>("CashBox.pay(_:)")
  func pay(_ cents: Int) { _ = paid.call(cents) }

  /// Would not come back if the sandbox's list of doubles were locked, nor would its stub.
  deinit { _ = Resolver.optional(Basket.self) }
}

@Suite("A double that another replaces")
struct ReplacedDoubleTests {
  @Test("may resolve while it goes, and its stubs are still told of")
  func replaced() {
    let issues = findings {
      Resolver.register { Basket() }
      weak let first = double(CashBoxDouble())
      first?.paid.returns(1)
      // From now on the sandbox alone holds it.
      Resolver.main.remove((any CashBox).self)
      #expect(first != nil)
      double(CashBoxDouble())
      #expect(first == nil)
      _ = Resolver.resolve((any CashBox).self)
    }
    #expect(
      issues.map(\.headline) == [
        "`CashBox.pay(_:)` was stubbed and never called."
      ])
  }
}
