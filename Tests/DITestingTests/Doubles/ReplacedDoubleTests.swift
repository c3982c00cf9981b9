@testable import DITesting
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

/// What several tests of the file share.
private func defaults(in container: Resolver) {
  container.register { CashBoxDouble() as any CashBox }
  double(GatewayDouble())
}

@Suite("A double that another replaces")
struct ReplacedDoubleTests {
  @Test("is a warning where one function registers both, also in a scope's closure")
  func inClosure() {
    let line: UInt = #line + 2
    let issues = findings {
      registeringDoubles {
        double(CashBoxDouble())
        double(CashBoxDouble())
      }
      _ = Resolver.resolve((any CashBox).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        `any CashBox` has two doubles here: this one replaces another that nothing resolved.

          first:   DITestingTests/ReplacedDoubleTests.swift:\(line + 1)
          second:  DITestingTests/ReplacedDoubleTests.swift:\(line + 2)

        To fix this:
          - Register one of them, and use what `double(…)` returns.
        """
      ])
    #expect(issues.map(\.severity) == [.warning])
  }

  @Test("is none where a test replaces what a helper of its file registered for several")
  func ofHelper() {
    let issues = findings {
      registeringDoubles {
        defaults(in: .root)
        Resolver.register { CashBoxDouble() as any CashBox }
        double(GatewayDouble())
      }
      _ = Resolver.resolve((any CashBox).self)
      _ = Resolver.resolve((any Gateway).self)
    }
    #expect(issues.map(\.headline) == [])
  }

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
