import DITesting
import Testing

private protocol CashBox {
  func pay(_ cents: Int)
}

private final class CashBoxDouble: CashBox, TestDouble {
  static func asDoubled(_ double: CashBoxDouble) -> any CashBox { double }

  let paid = Stub<Int, Int?, Never>("CashBox.pay(_:)")
  func pay(_ cents: Int) { _ = paid.call(cents) }

  deinit {
    // Neither would come back if the sandbox's list of doubles were locked.
    _ = Resolver.resolve(Basket.self)
    double(PostboxDouble()).send("closed")
  }
}

@Suite("A double that another replaces", .sandbox(unusedDoubles: .off))
struct ReplacedDoubleTests {
  @Test("may resolve and register while it goes, and its stubs are still told of")
  func replaced() {
    let issues = findings {
      Resolver.register { Basket() }
      double(CashBoxDouble()).paid.returns(1)
      // From now on the sandbox alone holds it.
      Resolver.remove((any CashBox).self)
      double(CashBoxDouble())
      expectCalled(double(PostboxDouble.self).send, times: 1) { $0 == "closed" }
      Resolver.resolve((any CashBox).self).pay(650)
      Resolver.resolve((any Postbox).self).send("again")
    }
    #expect(
      issues.map { $0.text.prefix { $0 != "\n" } } == [
        "`CashBox.pay(_:)` was stubbed and never called."
      ])
  }
}
