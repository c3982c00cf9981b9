import DICompatibility
import DIContainer
import Testing

private protocol Catalog: AnyObject {}
private protocol Shelf: AnyObject {}
private protocol Window: AnyObject {}
private final class StoreCatalog: Catalog, Shelf, Window {}
private struct Receipt {
  let number: Int
  var text = ""
  var copies = 1
}
private final class Desk {
  var clerk: Clerk?
}
private final class Clerk {
  weak var desk: Desk?
}

extension Container {
  fileprivate var nightDesk: Factory<Desk> { self { Desk() } }
}

@Suite struct SwinjectNamesTests {
  @Test func `Object scopes keep instances as Swinject's do, a parent's for its children too`() {
    let shop = Container()
    let branch = Container(parent: shop)
    shop.register((any Catalog).self) { _ in StoreCatalog() }.inObjectScope(.container)
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(.transient)
    shop.register(Clerk.self) { _ in Clerk() }.inObjectScope(.weak)

    #expect(branch.resolve((any Catalog).self) === shop.resolve((any Catalog).self))
    #expect(shop.resolve(Desk.self) !== shop.resolve(Desk.self))
    let clerk = shop.resolve(Clerk.self)
    #expect(shop.resolve(Clerk.self) === clerk)
  }

  @Test func `A scope of one's own is an object scope`() {
    let night = Scope.cache("night")
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(ObjectScope(night))
    let desk = shop.resolve(Desk.self)
    #expect(shop.resolve(Desk.self) === desk)
    night.reset()
    #expect(shop.resolve(Desk.self) !== desk)
  }

  @Test func `Object scopes are told apart by identity`() {
    let scope = ObjectScope.weak
    #expect(scope === ObjectScope.weak)
    #expect(scope !== ObjectScope.transient)
    #expect(ObjectScope(.cached) !== ObjectScope(.cached))
  }

  @Test func `What register returns can be named as in Swinject`() {
    let shop = Container()
    let entry: ServiceEntry<StoreCatalog> = shop.register(StoreCatalog.self) { _ in
      StoreCatalog()
    }
    shop.forward((any Catalog).self, to: entry)
    #expect(shop.optional((any Catalog).self) != nil)
  }

  @Test func `initCompleted sets properties, and two services may refer to each other`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }
      .initCompleted { r, desk in desk.clerk = r.resolve(Clerk.self) }
      .inObjectScope(.graph)
    shop.register(Clerk.self) { _ in Clerk() }
      .initCompleted { r, clerk in clerk.desk = r.resolve(Desk.self) }
      .inObjectScope(.graph)
    let desk = shop.resolve(Desk.self)
    #expect(desk.clerk?.desk === desk)
  }

  @Test func `One implements takes several protocols, and forward takes what register returned`() {
    let shop = Container()
    shop.register(StoreCatalog.self) { _ in StoreCatalog() }
      .implements((any Catalog).self, (any Shelf).self, (any Window).self)
      .inObjectScope(.container)
    #expect(shop.resolve((any Catalog).self) === shop.resolve((any Shelf).self))
    #expect(shop.resolve((any Window).self) === shop.resolve(StoreCatalog.self))

    let branch = Container()
    let catalog = branch.register(StoreCatalog.self) { _ in StoreCatalog() }
    branch.forward((any Catalog).self, name: "night", to: catalog)
    #expect(branch.resolve((any Catalog).self, name: "night") is StoreCatalog)
    #expect(branch.optional((any Catalog).self) == nil)
  }
}
