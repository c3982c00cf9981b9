import DICompatibility
import DIContainer
import DITesting
import Testing

private final class Basket: Sendable {
  let label: String
  init(_ label: String = "live") { self.label = label }
}

private final class Desk {
  let newBasket: Provider<Basket>
  init(newBasket: Provider<Basket>) { self.newBasket = newBasket }
}

private final class LazyDesk {
  let basket: Lazy<Basket>
  init(basket: Lazy<Basket>) { self.basket = basket }
}

@Suite("Providers, and lazy services in other words")
struct ProviderTests {
  private let shop = Resolver()

  @Test("Each use of a provider is a request of its own")
  func everyUse() {
    shop.register(Desk.init)
    shop.register { Basket() }
    let desk = shop.resolve(Desk.self)
    #expect(desk.newBasket() !== desk.newBasket())
    #expect(desk.newBasket.instance !== desk.newBasket.value)
  }

  @Test("It is the scope that says what is kept")
  func scope() {
    shop.register { Basket() }.scope(.cached)
    let provider = shop.resolve(Provider<Basket>.self)
    #expect(provider() === provider())
  }

  @Test("The service may be registered later than the provider is made, and again")
  func later() {
    let provider: Provider<Basket> = shop.resolve()
    shop.register { Basket("first") }
    #expect(provider().label == "first")
    shop.register { Basket("second") }
    #expect(provider().label == "second")
  }

  @Test("The name and the arguments of the request go along")
  func nameAndArguments() {
    shop.register(name: "gift") { Basket("gift") }
    shop.register(Basket.self, name: "given") { (_, label: String) in Basket(label) }
    #expect(shop.resolve(Provider<Basket>.self, name: "gift")().label == "gift")
    let given = shop.resolve(Provider<Basket>.self, name: "given", argument: "voucher")
    #expect(given().label == "voucher")
  }

  @Test("It asks the container that was asked for it, also where another owns the registration")
  func askedContainer() {
    shop.register(Desk.init)
    let branch = Resolver(child: shop)
    branch.register { Basket("branch") }
    #expect(branch.resolve(Desk.self).newBasket().label == "branch")
  }

  @Test("A double reaches it, in the sandbox it is used in")
  func double() {
    shop.register { Basket() }
    let provider = shop.resolve(Provider<Basket>.self)
    withSandbox {
      shop.register { Basket("double") }
      #expect(provider().label == "double")
    }
    #expect(provider().label == "live")
  }

  @Test("A test makes one of a closure")
  func ofClosure() {
    let desk = Desk(newBasket: Provider { Basket("fake") })
    #expect(desk.newBasket().label == "fake")
  }

  @Test("What it will ask for is a known dependency, and no circle")
  func dependencies() throws {
    shop.register(Desk.init)
    #expect(shop.registrations.first?.dependencies?.map(\.key) == [ServiceKey(Basket.self)])
    #expect(throws: ValidationError.self) { try shop.validate() }
    shop.register { (desk: Provider<Desk>) in Basket("\(type(of: desk()))") }
    try shop.validate()
    #expect(shop.resolve(Desk.self).newBasket().label == "Desk")
  }

  @Test("A dry run sees what a provider in an instance will ask for")
  func dryRun() throws {
    shop.register { r in Desk(newBasket: r.resolve()) }
    #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    shop.register { Basket() }
    try shop.validate(dryRun: true)
  }

  @Test("A lazy service is made once, when it is first used")
  func lazy() {
    shop.register(LazyDesk.init)
    shop.register { Basket() }
    let desk = shop.resolve(LazyDesk.self)
    #expect(!desk.basket.wasMade)
    let basket = desk.basket.instance
    #expect(desk.basket.wasMade)
    #expect(desk.basket.value === basket)
    desk.basket.clear()
    #expect(!desk.basket.wasMade)
    #expect(desk.basket.value !== basket)
  }
}
