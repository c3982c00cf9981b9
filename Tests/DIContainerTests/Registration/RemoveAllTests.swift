import DIContainer
import Testing

private protocol Catalog: AnyObject {}
private final class StoreCatalog: Catalog {}
private final class Desk {}
private final class Clerk {}

extension Container {
  fileprivate var lamp: Factory<Desk> { self { Desk() }.cached }
}

@Suite struct RemoveAllTests {
  @Test func `removeAll takes away what the container registers itself, under every name`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }
    shop.register(Desk.self, name: "night") { _ in Desk() }
    shop.register(StoreCatalog.self) { _ in StoreCatalog() }.implements((any Catalog).self)
    shop.removeAll()
    #expect(shop.optional(Desk.self) == nil)
    #expect(shop.optional(Desk.self, name: "night") == nil)
    #expect(shop.optional((any Catalog).self) == nil)
    #expect(shop.registrations.isEmpty)
  }

  @Test func `removeAll leaves the containers that are looked into, which then answer`() {
    let shop = Container()
    let desk = Desk()
    shop.register(Desk.self) { _ in desk }
    let branch = Container(parent: shop)
    branch.register(Desk.self) { _ in Desk() }
    branch.removeAll()
    #expect(branch.resolve(Desk.self) === desk)
    #expect(shop.resolve(Desk.self) === desk)
  }

  @Test func `removeAll forgets what was kept, and what is registered again is made anew`() {
    weak var gone: Desk?
    let shop = Container()
    func register() { shop.register(Desk.self) { _ in Desk() }.scope(.perContainer(.strong)) }
    register()
    gone = shop.resolve(Desk.self)
    #expect(gone != nil)
    shop.removeAll()
    #expect(gone == nil)
    register()
    #expect(shop.resolve(Desk.self) === shop.resolve(Desk.self))
  }

  @Test func `removeAll leaves services that are declared as properties`() {
    let shop = Container()
    let lamp = Desk()
    shop.lamp.register { lamp }
    shop.removeAll()
    #expect(shop.lamp() === lamp)
  }

  @Test func `removeAll in a sandbox is seen by that sandbox alone`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }
    inSandbox {
      shop.removeAll()
      #expect(shop.optional(Desk.self) == nil)
      shop.register(Clerk.self) { _ in Clerk() }
      shop.removeAll()
      #expect(shop.optional(Clerk.self) == nil)
    }
    #expect(shop.optional(Desk.self) != nil)
  }
}
