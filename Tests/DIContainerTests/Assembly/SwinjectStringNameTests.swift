import DIContainer
import Testing

private protocol Catalog {}
private struct StoreCatalog: Catalog {
  var shelf = ""
  var row = 0
}
private enum CatalogPart: DIPart {
  static func load(container: Container) {
    container.register((any Catalog).self) { _ in StoreCatalog(shelf: "part") }
  }
}
private enum Parts {
  // That it compiles is the point: it is a global that every thread reads.
  static let all: [any DIPart.Type] = [CatalogPart.self]
}

/// Names that are strings at run time, as Swinject has them.
@Suite struct SwinjectStringNameTests {
  private let name = "night".lowercased()
  private let shop = Container()

  @Test func `A string names a registration in every form`() {
    shop.register(StoreCatalog.self, name: name) { StoreCatalog(shelf: "plain") }
    #expect(shop.resolve(StoreCatalog.self, name: "night").shelf == "plain")
    shop.register(StoreCatalog.self, name: name) { _ in StoreCatalog(shelf: "asked") }
    #expect(shop.resolve(StoreCatalog.self, name: "night").shelf == "asked")
    shop.register(StoreCatalog.self, name: name) { _, args in StoreCatalog(shelf: args("shelf")) }
    #expect(
      shop.resolve(StoreCatalog.self, name: "night", args: ["shelf": "keyed"]).shelf == "keyed")
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

  @Test func `A string asks for a name in every form, of containers and of their views`() throws {
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
    #expect(shop.optional((any Catalog).self, name: name) != nil)
    #expect(try shop.require((any Catalog).self, name: name) is StoreCatalog)

    #expect(shop.resolve(StoreCatalog.self, name: name, argument: "a").shelf == "a")
    #expect(view.resolve(StoreCatalog.self, name: name, argument: "a")!.shelf == "a")
    #expect(shop.optional(StoreCatalog.self, name: name, argument: "a")?.shelf == "a")
    #expect(try view.require(StoreCatalog.self, name: name, argument: "a").shelf == "a")

    #expect(shop.resolve(Int.self, name: name, arguments: 1, 2) == 3)
    #expect(view.resolve(Int.self, name: name, arguments: 1, 2)! == 3)
    #expect(shop.optional(Int.self, name: name, arguments: 1, 2) == 3)
    #expect(try view.require(Int.self, name: name, arguments: 1, 2) == 3)
  }

  @Test func `A string that is nil is no name`() {
    let none: String? = nil
    shop.register((any Catalog).self, name: none) { _ in StoreCatalog(shelf: "unnamed") }
    #expect(shop.hasAnyRegistration(of: (any Catalog).self))
    #expect(shop.hasAnyRegistration(of: (any Catalog).self, name: none))
    #expect(!shop.hasAnyRegistration(of: (any Catalog).self, name: name))
    #expect((shop.resolve((any Catalog).self, name: none) as any Catalog) is StoreCatalog)
  }

  @Test func `What is forwarded, and taken away, may be named by a string`() {
    let entry = shop.register(StoreCatalog.self) { _ in StoreCatalog() }
    shop.forward((any Catalog).self, name: name, to: entry)
    #expect(shop.optional((any Catalog).self, name: "night") is StoreCatalog)
    shop.remove((any Catalog).self, name: name)
    #expect(shop.optional((any Catalog).self, name: "night") == nil)
  }

  @Test func `A literal is a name as before, and nil needs no type`() {
    let key: Resolver.Name = "night"
    shop.register((any Catalog).self, name: "night") { _ in StoreCatalog() }
    shop.register((any Catalog).self, name: nil) { _ in StoreCatalog() }
    #expect(shop.optional((any Catalog).self, name: key) != nil)
    #expect(shop.optional((any Catalog).self, name: "night") != nil)
    #expect(shop.optional((any Catalog).self, name: nil) != nil)
  }

  @Test func `Statically, too, a string is a name`() async {
    await #expect(processExitsWith: .success) {
      let name = "night".lowercased()
      Resolver.register((any Catalog).self, name: name) { StoreCatalog() }
      Resolver.register(StoreCatalog.self, name: name) { (_: Resolver, shelf: String) in
        StoreCatalog(shelf: shelf)
      }
      Resolver.register(Int.self, name: name) { (_: Resolver, one: Int, two: Int) in one + two }
      precondition(
        (Resolver.resolve((any Catalog).self, name: name) as any Catalog) is StoreCatalog)
      precondition(Resolver.resolve((any Catalog).self, name: name)! is StoreCatalog)
      precondition(Resolver.optional((any Catalog).self, name: name) != nil)
      precondition(try! Resolver.require((any Catalog).self, name: name) is StoreCatalog)
      precondition(
        Resolver.resolve(StoreCatalog.self, name: name, argument: "one").shelf == "one")
      precondition(Resolver.resolve(Int.self, name: name, arguments: 1, 2) == 3)
      Resolver.remove((any Catalog).self, name: name)
      precondition(Resolver.optional((any Catalog).self, name: name) == nil)
    }
  }

  @Test func `A failure is blamed on whoever asked with a string`() {
    let line: UInt = #line + 1
    let error = #expect(throws: ResolutionError.self) {
      try shop.require((any Catalog).self, name: name)
    }
    #expect(error?.requestedAt.fileID == "\(#fileID)")
    #expect(error?.requestedAt.line == line)
    #expect(error?.key == ServiceKey((any Catalog).self, name: "night"))
  }

  @Test func `What synchronize returns may be sent to another task`() async {
    shop.register((any Catalog).self, name: name) { _ in StoreCatalog(shelf: "sent") }
    let view = shop.synchronize()
    let shelf = await Task.detached {
      (view.resolve((any Catalog).self, name: "night") as any Catalog as? StoreCatalog)?.shelf
    }.value
    #expect(shelf == "sent")
  }

  @Test func `Part types may stand in a global`() {
    for part in Parts.all { shop.append(part: part) }
    #expect(shop.optional((any Catalog).self) is StoreCatalog)
  }
}

private final class Presenter {
  var router: Router?
  var title = ""
}
private final class Router {}

@Suite struct CyclicInjectionTests {
  @Test func `A property of a circle may be set by a bare closure`() {
    let scene = Container()
    scene.register(Router.init)
    scene.register(Presenter.init)
      .injection(cycle: true, { $0.router = $1 })
      .injection(cycle: true) { (presenter: Presenter, _: Router) in presenter.title = "Sold" }
    let presenter: Presenter = scene.resolve()
    #expect(presenter.router != nil)
    #expect(presenter.title == "Sold")
  }

  @Test func `A property of a circle may be set by its key path`() {
    let scene = Container()
    scene.register(Router.init)
    scene.register(Presenter.init).injection(cycle: true, \.router)
    #expect(scene.resolve(Presenter.self).router != nil)
  }
}
