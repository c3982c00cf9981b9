import DICompatibility
import DIContainer
import Testing

private protocol Catalog {}
private struct StoreCatalog: Catalog {
  var shelf = ""
  var row = 0
}

/// Names that are strings at run time, as Swinject has them.
@Suite struct StringNameTests {
  @Test func `A factory under a name in a string may lack parameters, or read arguments`() throws {
    let (shop, name) = (Resolver(), "aisle" as String)
    shop.register(Int.self, name: name) { 7 }
    shop.register(StoreCatalog.self, name: name) { (_: Resolver, args: Resolver.Args) in
      StoreCatalog(shelf: args("shelf"))
    }
    #expect(shop.resolve(Int.self, name: "aisle") == 7)
    let catalog = shop.resolve(StoreCatalog.self, name: "aisle", args: ["shelf": "left"])
    #expect(catalog.shelf == "left")
  }

  private let name = "night".lowercased()
  private let shop = Container()

  @Test func `A string names a registration in every form`() {
    shop.register(StoreCatalog.self, name: name) { _ in StoreCatalog(shelf: "asked") }
    #expect(shop.resolve(StoreCatalog.self, name: "night").shelf == "asked")
    shop.register(StoreCatalog.self, name: name) { (_: Resolver, shelf: String) in
      StoreCatalog(shelf: shelf)
    }
    #expect(shop.resolve(StoreCatalog.self, name: "night", argument: "one").shelf == "one")
    shop.register(StoreCatalog.self, name: name) { (_: Resolver, shelf: String, row: Int) in
      StoreCatalog(shelf: shelf, row: row)
    }
    #expect(shop.resolve(StoreCatalog.self, name: "night", arguments: "two", 2).row == 2)
    #expect(shop.registrations.map(\.key.name) == ["night"])
  }

  @Test func `A string asks for a name in every form, of containers and of their views`() {
    shop.register((any Catalog).self, name: "night") { _ in StoreCatalog(shelf: "night") }
    shop.register(StoreCatalog.self, name: "night") { (_: Resolver, shelf: String) in
      StoreCatalog(shelf: shelf)
    }
    shop.register(Int.self, name: "night") { (_: Resolver, one: Int, two: Int) in one + two }
    let view = shop.synchronize()

    #expect((shop.resolve((any Catalog).self, name: name) as any Catalog) is StoreCatalog)
    #expect((view.resolve((any Catalog).self, name: name) as any Catalog) is StoreCatalog)
    #expect(shop.resolve((any Catalog).self, name: name)! is StoreCatalog)
    #expect(view.resolve((any Catalog).self, name: name)! is StoreCatalog)
    #expect(shop.resolve((any Catalog).self, name: name + "s") == nil)

    #expect(shop.resolve(StoreCatalog.self, name: name, argument: "a").shelf == "a")
    #expect(view.resolve(StoreCatalog.self, name: name, argument: "a")!.shelf == "a")
    #expect(shop.resolve(Int.self, name: name, arguments: 1, 2) == 3)
    #expect(view.resolve(Int.self, name: name, arguments: 1, 2)! == 3)
  }

  @Test func `A string that is nil is no name`() {
    let none: String? = nil
    shop.register((any Catalog).self, name: none) { _ in StoreCatalog(shelf: "unnamed") }
    #expect(shop.hasAnyRegistration(of: (any Catalog).self))
    #expect(shop.hasAnyRegistration(of: (any Catalog).self, name: none))
    #expect(!shop.hasAnyRegistration(of: (any Catalog).self, name: name))
    #expect((shop.resolve((any Catalog).self, name: none) as any Catalog) is StoreCatalog)
  }

  @Test func `What is forwarded may be named by a string`() {
    let entry = shop.register(StoreCatalog.self) { _ in StoreCatalog() }
    shop.forward((any Catalog).self, name: name, to: entry)
    #expect(shop.optional((any Catalog).self, name: "night") is StoreCatalog)
  }

  @Test func `A literal is a name as before, and nil needs no type`() {
    let key: Resolver.Name = "night"
    shop.register((any Catalog).self, name: "night") { _ in StoreCatalog() }
    shop.register((any Catalog).self, name: nil) { _ in StoreCatalog() }
    #expect(shop.optional((any Catalog).self, name: key) != nil)
    #expect(shop.optional((any Catalog).self, name: "night") != nil)
    #expect(shop.optional((any Catalog).self, name: nil) != nil)
  }

  @Test func `A failure is blamed on whoever asked with a string`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Container().resolve(Int.self, name: "night".lowercased()) as Int
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("Nothing is registered for `Int \"night\"`."))
    #expect(text.contains(#fileID))
  }
}

@Suite struct TypeNameTests {
  private final class Desk {
    var label = ""
  }

  @Test func `Types have the names that Resolver, Factory and DITranquillity give them`() {
    let shop = Container()
    let make: ResolverFactory<Desk> = { Desk() }
    let label: ResolverFactoryMutator<Desk> = { _, desk in desk.label = "night" }
    let builder: DIComponentBuilder<Desk> = shop.register(factory: make)
    builder.resolveProperties(label)
    #expect(shop.resolve(Desk.self).label == "night")

    let first: ResolverFactoryResolver<Int> = { _ in 5 }
    shop.register(factory: first)
    #expect(shop.resolve(Int.self) == 5)
    let named: ResolverFactoryArgumentsN<Desk> = { _, _ in Desk() }
    let labelled: ResolverFactoryMutatorArgumentsN<Desk> = { _, desk, args in
      desk.label = args()
    }
    shop.register(factory: named).resolveProperties(labelled)
    #expect(shop.resolve(Desk.self, args: "day").label == "day")

    let five: VoidFactoryType<Int> = { 5 }
    let double: ParameterFactoryType<Int, Int> = { $0 * 2 }
    #expect(double(five()) == 10)
    #expect(ResolverScopeUnique.unique === Scope.unique)
  }
}
