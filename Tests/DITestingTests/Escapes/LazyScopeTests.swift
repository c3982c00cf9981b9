@testable import DITesting
import DICompatibility
import Testing

private final class CashDesk {
  @LazyInjected var payments: any Payments
  @LazyInjected(\.deskLabel) var label
  @WeakLazyInjected(\.deskBasket) var basket
}

extension Container {
  fileprivate var deskLabel: Factory<String> { self { "live" } }
  fileprivate var deskBasket: Factory<Basket> { self { Basket() }.cached }
}

/// The owner of a lazy property may be older than the test that first uses it: a global object is.
@Suite("A lazy property whose owner is older than a scope", .withoutWarnings)
struct LazyScopeTests {
  private let shop = Resolver(child: .main) { $0.register { LivePayments() as any Payments } }

  private func withDouble<Result>(_ label: String, _ body: () -> Result) -> Result {
    withSandbox {
      shop.register { FakePayments(label) as any Payments }
      Container.shared.deskLabel.register { label }
      return withRoot(shop) { body() }
    }
  }

  @Test("keeps no double of a sandbox beyond it")
  func sandboxes() {
    let desk = CashDesk()
    for label in ["one", "two"] {
      withDouble(label) {
        #expect(desk.payments.label == label)
        #expect(desk.label == label)
      }
    }
    #expect(desk.$payments.isEmpty)
    withRoot(shop) { #expect(desk.payments.label == "live") }
    #expect(desk.label == "live")
  }

  @Test("keeps none of a layer, a scoped root or a pushed layer")
  func others() {
    let desk = CashDesk()
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      #expect(desk.payments.label == "pushed")
      Resolver.pop(layer)
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        #expect(desk.payments.label == "layer")
      }
      withRoot(Resolver { $0.register { FakePayments("root") as any Payments } }) {
        #expect(desk.payments.label == "root")
      }
      #expect(desk.payments.label == "live")
    }
  }

  @Test("asks once in a scope that has ended, too")
  func ended() {
    let (desk, issues) = (CashDesk(), Issues())
    let opener = ScopeOpener(
      .layer, installed: Resolver { $0.register { FakePayments("layer") as any Payments } },
      name: "checkout", location: CodeLocation(), report: issues.handler)
    let context = opener.run { ResolutionContext.current }
    context.run {
      #expect(desk.payments.label == "layer")
      #expect(desk.payments as AnyObject === desk.payments as AnyObject)
    }
  }

  @Test("asks once for each scope, also from many tasks")
  func once() async {
    let desk = Unchecked(CashDesk())
    await withSandbox {
      Resolver.root = shop
      let instances = await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<16 { group.addTask { ObjectIdentifier(desk.value.payments as AnyObject) } }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(instances.count == 1)
      let first = desk.value.payments as AnyObject
      withRecorder(ResolutionRecorder()) { #expect(desk.value.payments as AnyObject === first) }
      withLayer { _ in
      } operation: {
        #expect(desk.value.payments as AnyObject === first)
      }
    }
  }

  @Test("shows in a scope what it kept before, or was given")
  func before() {
    let desk = CashDesk()
    let live = withRoot(shop) { desk.payments as AnyObject }
    withDouble("fake") {
      #expect(desk.payments as AnyObject !== live)
      desk.payments = FakePayments("given")
      #expect(desk.payments.label == "given")
    }
    #expect(desk.payments.label == "given")
    desk.label = "given"
    withDouble("fake") { #expect(desk.label == "given") }
  }

  @Test("is resolved anew for a scope alone, and released for it")
  func anew() {
    let desk = CashDesk()
    #expect(desk.label == "live")
    withDouble("fake") {
      #expect(desk.label == "live")
      desk.$label.resolve()
      #expect(desk.label == "fake")
      #expect(desk.$label.resolvedOrNil() == "fake")
    }
    #expect(desk.label == "live")
    withDouble("fake") {
      desk.$label.release()
      #expect(desk.label == "fake")
    }
    #expect(desk.$label.isEmpty)
  }

  @Test("keeps nothing weakly beyond a scope either")
  func weakly() {
    let desk = CashDesk()
    withSandbox {
      let basket = Container.shared.deskBasket()
      #expect(desk.basket === basket)
    }
    #expect(desk.$basket.isEmpty)
  }

  @Test("serves another test, though it was made in one")
  func madeInAnother() {
    let desk = withDouble("one") {
      let desk = CashDesk()
      #expect(desk.payments.label == "one")
      return desk
    }
    withDouble("two") {
      #expect(desk.payments.label == "two")
      desk.payments = FakePayments("given")
      #expect(desk.payments.label == "given")
    }
    withDouble("three") { #expect(desk.payments.label == "three") }
  }

  @Test("serves a test without a scope, though it was made in one that has ended")
  func madeInAnotherForNone() {
    let desk = withDouble("one") { CashDesk() }
    #expect(desk.label == "live")
  }

  @Test("keeps no double of the scope that it was made and used in beyond it")
  func madeAndUsedInAnother() {
    let desk = withDouble("one") {
      let desk = CashDesk()
      #expect(desk.payments.label == "one")
      #expect(desk.label == "one")
      #expect(desk.basket != nil)
      return desk
    }
    #expect(desk.$payments.isEmpty)
    #expect(desk.$basket.resolvedOrNil() == nil)
    withRoot(shop) { #expect(desk.payments.label == "live") }
    #expect(desk.label == "live")
    #expect(desk.$label.resolvedOrNil() == "live")
  }

  @Test("shows after the scope that it was made in what it was given there")
  func givenInAnother() {
    let desk = withDouble("one") {
      let desk = CashDesk()
      #expect(desk.label == "one")
      desk.label = "given"
      return desk
    }
    #expect(desk.label == "given")
  }

  @Test("lets go of what it kept for a scope when that ends, inside it")
  func end() {
    final class Receipt: Sendable {
      let print: @Sendable (String) -> Void
      init(_ print: @escaping @Sendable (String) -> Void) { self.print = print }
      deinit { print(Resolver.resolve(String.self)) }
    }
    final class Printer { @LazyInjected var receipt: Receipt }
    let printed = Lock<[String]>([])
    let printer = Printer()
    withSandbox {
      Resolver.register { "in the sandbox" }
      Resolver.register { Receipt { text in printed.withLock { $0.append(text) } } }
      _ = printer.receipt
    }
    #expect(printed.withLock { $0 } == ["in the sandbox"])
  }
}
