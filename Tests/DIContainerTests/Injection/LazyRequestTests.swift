import DICompatibility
import DIContainer
import DITesting
import TestSupport
import Testing

private protocol Payments: AnyObject { var name: String { get } }

private final class LivePayments: Payments, Sendable {
  let name: String
  init(_ name: String = "live") { self.name = name }
}

private final class Checkout {
  @LazyInjected var payments: any Payments
  init(payments: LazyInjected<any Payments>) { _payments = payments }
}

private struct Till: Sendable {
  let name: String
  init(_ payments: LazyInjected<LivePayments>) { name = payments.wrappedValue.name }
}

private final class Receipt {
  let onEnd: () -> Void
  init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }
  deinit { onEnd() }
}

/// A lazy wrapper is handed out wherever its service may be asked for, registered or not.
@Suite("Requests for lazy wrappers")
struct LazyRequestTests {
  private let shop = Resolver()

  @Test("A wrapper that is asked for asks the same container when it is first used")
  func verbs() throws {
    let resolved = shop.resolve(LazyInjected<any Payments>.self)
    let inferred: LazyInjected<any Payments> = shop.resolve()
    let optional = shop.optional(LazyInjected<any Payments>.self)
    let wanted: LazyInjected<any Payments>? = shop.resolve()
    let required = try shop.require(LazyInjected<any Payments>.self)
    let wrappers = [resolved, inferred, required] + [optional, wanted].compactMap { $0 }
    #expect(wrappers.count == 5)
    #expect(!wrappers.contains { !$0.isEmpty })
    shop.register { LivePayments() as any Payments }.scope(.cached)
    let live = shop.resolve((any Payments).self)
    for wrapper in wrappers {
      #expect(wrapper.wrappedValue === live)
      #expect(wrapper.container === shop)
    }
  }

  @Test("A factory passes it on, as an initialiser's parameter is passed")
  func inFactory() {
    shop.register { r in Checkout(payments: r.resolve()) }
    shop.register(Checkout.init, name: "by type")
    shop.register { LivePayments() as any Payments }
    #expect(shop.resolve(Checkout.self).payments.name == "live")
    #expect(shop.resolve(Checkout.self, name: "by type").payments.name == "live")
  }

  @Test("The name and the arguments of the request go along")
  func nameAndArguments() {
    shop.register(name: "card") { LivePayments("card") as any Payments }
    shop.register(name: "given") { _, args in LivePayments(args()) as any Payments }
    let card = shop.resolve(LazyInjected<any Payments>.self, name: "card")
    let given: LazyInjected<any Payments> = shop.resolve(name: "given", args: "voucher")
    #expect(card.wrappedValue.name == "card")
    #expect(given.wrappedValue.name == "voucher")
  }

  @Test("So it is with the weak wrapper, and with optionals that a parameter asks for")
  func otherForms() {
    shop.register { LivePayments() as any Payments }.scope(.cached)
    let live = shop.resolve((any Payments).self)
    #expect(shop.resolve(WeakLazyInjected<any Payments>.self).wrappedValue === live)
    shop.register { (payments: LazyInjected<any Payments>?) in payments?.wrappedValue.name ?? "no" }
    #expect(shop.resolve(String.self) == "live")
  }

  @Test("What it lets go of may ask it once more")
  func lettingGo() {
    let wrapper = LazyInjected<Receipt>(container: shop)
    let ends = Counter()
    shop.register {
      Receipt { if wrapper.isEmpty { ends.increment() } }
    }.scope(.unique)
    _ = wrapper.wrappedValue
    wrapper.release()
    #expect(ends.value == 1)
  }

  @Test("The same name, set again while the service is made, changes nothing")
  func sameName() {
    let wrapper = LazyInjected<LivePayments>(name: "card", container: shop)
    shop.register(name: "card") {
      wrapper.name = "card"
      return LivePayments()
    }.scope(.unique)
    let first = wrapper.wrappedValue
    #expect(wrapper.wrappedValue === first)
  }

  @Test("Static requests get one that asks the root of that time")
  func statics() {
    inSandbox {
      Resolver.register { LivePayments("root") as any Payments }
      let wrapper: LazyInjected<any Payments> = Resolver.resolve()
      #expect(wrapper.container === Resolver.root)
      #expect(wrapper.wrappedValue.name == "root")
    }
  }

  @Test("It gets the double of the moment it is used in")
  func doubles() {
    shop.register { LivePayments() as any Payments }
    let wrapper: LazyInjected<any Payments> = shop.resolve()
    inSandbox {
      shop.register { LivePayments("double") as any Payments }
      #expect(wrapper.wrappedValue.name == "double")
    }
  }

  @Test("Async requests and factories get it too")
  func later() async throws {
    let shop = shop
    shop.register { LivePayments() }
    shop.registerAsync { (payments: LazyInjected<LivePayments>) in payments.wrappedValue.name }
    #expect(try await shop.requireAsync(String.self) == "live")
    let wrapper = try await shop.requireAsync(LazyInjected<LivePayments>.self)
    #expect(wrapper.wrappedValue.name == "live")
  }

  @Test("One that is registered itself is handed out instead")
  func registered() {
    shop.register(name: "card") { LivePayments("card") as any Payments }
    shop.register { LazyInjected<any Payments>(name: "card", container: shop) }
    let wrapper: LazyInjected<any Payments> = shop.resolve()
    #expect(wrapper.wrappedValue.name == "card")
  }

  @Test("So it is for parameters, in every kind of factory")
  func registeredForParameters() async throws {
    let shop = shop
    shop.register(name: "card") { LivePayments("card") }
    shop.register { LazyInjected<LivePayments>(name: "card", container: shop) }
    shop.register({ (payments: LazyInjected) in Till(payments) }, name: "plain")
    shop.registerMain({ (payments: LazyInjected) in Till(payments) }, name: "main")
    shop.registerAsync({ (payments: LazyInjected) in Till(payments) }, name: "async")
    #expect(try shop.require(Till.self, name: "plain").name == "card")
    #expect(try await shop.requireAsync(Till.self, name: "main").name == "card")
    #expect(try await shop.requireAsync(Till.self, name: "async").name == "card")
  }

  @Test("It is no request for the service, nor one that missed, until it is used")
  func recorded() {
    shop.register { LivePayments() as any Payments }
    let recorder = ResolutionRecorder()
    withRecorder(recorder) {
      let wrapper: LazyInjected<any Payments> = shop.resolve()
      #expect(recorder.events == [])
      _ = wrapper.wrappedValue
    }
    #expect(recorder.events.map(\.key.description) == ["any Payments"])
    #expect(recorder.events.map(\.kind) == [.created])
  }

  @Test("Where the service is not registered, the first use says so, and where it was asked for")
  func missing() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver(line: 5)
      let wrapper = shop.resolve(LazyInjected<any Payments>.self, line: 7)
      shop.register(name: "card", line: 9) { LivePayments() as any Payments }
      _ = wrapper.wrappedValue
    }
    let file = "DIContainerTests/LazyRequestTests.swift"
    let text = fatal(
      7,
      """
      Nothing is registered for `any Payments`.

        requested:  \(file):7
        asked:      container made at \(file):5
        close:      `any Payments "card"` is registered (\(file):9)

      To fix this:
        - It is registered under "card", and was requested under no name: use one.
        - Register it: `register { … as any Payments }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `(any Payments)?`.
      """)
    #expect(result?.start(of: text) == text)
  }

  @Test(
    "The graph shows what a lazy parameter will ask for: it is needed, if the wrapper is or not")
  func graph() throws {
    let shop = Resolver { r in
      r.register { (_: LazyInjected<any Payments>?) in "shop" }
    }
    let dependencies = shop.registrations.first { $0.key.type == String.self }?.dependencies
    #expect(dependencies == [Dependency(ServiceKey((any Payments).self), isLazy: true)])
    #expect(throws: ValidationError.self) { try shop.validate() }
  }
}
