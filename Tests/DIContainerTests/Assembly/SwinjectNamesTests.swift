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

  @Test func `A container says what is registered in it and in its parent`() {
    let shop = Container()
    let branch = Container(parent: shop)
    shop.register((any Catalog).self, name: "night") { _ in StoreCatalog() }
    #expect(branch.hasAnyRegistration(of: (any Catalog).self, name: "night"))
    #expect(!branch.hasAnyRegistration(of: (any Catalog).self))
    #expect(!branch.hasAnyRegistration(of: (any Catalog).self, name: "day"))
    #expect(!branch.hasAnyRegistration(of: (any Shelf).self, name: "night"))
  }

  @Test func `removeAll takes a container's own registrations away, with what was kept for them`() {
    let shop = Container()
    let branch = Container(parent: shop)
    shop.register((any Catalog).self) { _ in StoreCatalog() }
    branch.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    branch.register(Desk.self, name: "night") { _ in Desk() }
    weak let kept = branch.resolve(Desk.self)
    #expect(kept != nil)

    branch.removeAll()

    #expect(kept == nil)
    #expect(branch.optional(Desk.self) == nil)
    #expect(branch.optional(Desk.self, name: "night") == nil)
    #expect(branch.optional((any Catalog).self) != nil)
    branch.register(Desk.self) { _ in Desk() }
    #expect(branch.optional(Desk.self) != nil)
  }

  @Test func `removeAll in a sandbox is undone with it`() {
    let shop = Container(parent: Container { $0.register(Clerk.self) { _ in Clerk() } })
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    let kept = shop.resolve(Desk.self)
    inSandbox {
      shop.register(Desk.self, name: "night") { _ in Desk() }.inObjectScope(.container)
      weak let inside = shop.resolve(Desk.self, name: "night")
      #expect(inside != nil)
      shop.removeAll()
      #expect(inside == nil)
      #expect(shop.optional(Desk.self) == nil)
      #expect(shop.optional(Desk.self, name: "night") == nil)
      #expect(shop.optional(Clerk.self) != nil)
      shop.register(Desk.self) { _ in Desk() }
      #expect(shop.optional(Desk.self) != nil)
    }
    #expect(shop.resolve(Desk.self) === kept)
  }

  @Test func `After removeAll declarations answer again, in a sandbox and outside`() {
    func check(_ shop: Container) {
      let double = Desk()
      shop.nightDesk.register { double }
      #expect(shop.nightDesk() === double)
      shop.removeAll()
      #expect(shop.nightDesk() !== double)
      shop.nightDesk.register { double }
      #expect(shop.nightDesk() === double)
    }
    check(Container())
    inSandbox { check(Container()) }
    let shop = Container()
    shop.nightDesk.register { Desk() }
    inSandbox { check(shop) }
  }
}

@Suite struct SwinjectArgumentsTests {
  @Test func `A factory takes the arguments of the request by position`() {
    let shop = Container()
    shop.register(Receipt.self) { _, number in Receipt(number: number) }
    shop.register(Receipt.self, name: "two") { _, number, text in
      Receipt(number: number, text: text)
    }
    shop.register(Receipt.self, name: "three") { (_, number: Int, text: String, copies: Int) in
      Receipt(number: number, text: text, copies: copies)
    }

    #expect(shop.resolve(Receipt.self, argument: 7).number == 7)
    #expect(shop.resolve(Receipt.self, name: "two", arguments: 7, "Tea")!.text == "Tea")
    let three: Receipt? = shop.resolve(name: "three", arguments: 7, "Tea", 2)
    #expect(three?.copies == 2)
    #expect(shop.resolve(Receipt.self, name: "four", arguments: 7, "Tea") == nil)
    #expect(shop.resolve(Desk.self, argument: 7) == nil)
  }

  @Test func `Arguments pass through a protocol, and through a view that cannot register`() {
    struct Tickets: Assembly {
      func assemble(container: Container) {
        container.register(Ticket.self) { _, number, seat in Ticket(number: number, seat: seat) }
          .implements((any Numbered).self)
      }
    }
    let resolver = Assembler([Tickets()]).resolver
    #expect(resolver.resolve((any Numbered).self, arguments: 7, "A1").number == 7)
    let ticket: Ticket? = resolver.resolve(arguments: 7, "A1")
    #expect(ticket?.seat == "A1")
  }
  private protocol Numbered {
    var number: Int { get }
  }
  private struct Ticket: Numbered {
    let number: Int
    let seat: String
  }

  @Test func `An argument that is a dictionary is one argument`() {
    let shop = Container()
    shop.register(Receipt.self) { _, lines in Receipt(number: (lines as [String: Int]).count) }
    #expect(shop.resolve(Receipt.self, argument: ["tea": 1, "mug": 2]).number == 2)
  }

  @Test func `An argument that is nil is passed on as nil`() {
    let shop = Container()
    shop.register(Receipt.self) { _, text, number in
      Receipt(number: number, text: (text as String?) ?? "none")
    }
    #expect(shop.resolve(Receipt.self, arguments: String?.none, 7).text == "none")
  }

  @Test func `Factories of both kinds of arguments take both kinds of requests`() {
    let shop = Container()
    shop.register { _, args in Receipt(number: args()) }
    #expect(shop.resolve(Receipt.self, argument: 7).number == 7)
    shop.register(Receipt.self) { _, number in Receipt(number: number) }
    #expect(shop.resolve(Receipt.self, args: 7).number == 7)
  }

  @Test func `A wrong argument is told by its position`() {
    let shop = Container()
    shop.register(Receipt.self) { _, number, text in Receipt(number: number, text: text) }
    let read = #line - 1
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Receipt.self, args: ["1": 7, "2": 3])
    }
    #expect(
      error?.description == """
        The factory of `Receipt` reads the argument "2" as `String`, but it is of type `Int`.

          requested:  DIContainerTests/SwinjectNamesTests.swift:\(read + 2)
          read:       DIContainerTests/SwinjectNamesTests.swift:\(read)

        To fix this:
          - Pass a value of type `String`, or read it as `Int`.
        """)
  }
}
