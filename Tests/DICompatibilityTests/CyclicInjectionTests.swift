import DICompatibility
import DIContainer
import Testing

private protocol Catalog {}
private struct StoreCatalog: Catalog {
  var shelf = ""
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

@Suite struct SendableTests {
  private let shop = Container()

  @Test func `What synchronize returns may be sent to another task`() async {
    shop.register((any Catalog).self, name: "night") { _ in StoreCatalog(shelf: "sent") }
    let view = shop.synchronize()
    let shelf = await Task {
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

  private final class Knife {
    let fork: Fork
    init(fork: Fork) { self.fork = fork }
  }
  private final class Fork {
    var knife: Knife?
    var spoon: Spoon!
  }
  private final class Spoon {
    var fork: Fork!
  }

  private func table(_ scope: Scope = .graph, cycle: Bool = false) -> Container {
    let table = Container()
    table.register(Knife.init, line: 1)
    table.register(Fork.init, line: 2).injection(cycle: cycle, \.knife).scope(scope)
    return table
  }

  @Test func `A circle that an injection closes is found before anything is asked for`() {
    let error = #expect(throws: ValidationError.self) { try table().validate() }
    #expect(error?.findings.map(\.kind) == [.cycle])
    #expect(error?.findings.first?.chain.map(\.description) == ["Fork", "Knife", "Fork"])
    #expect(error?.description.contains("Or set it then by `injection(cycle: true, …)`.") == true)
    #expect(!table().makeGraph().checkIsValid(checkGraphCycles: true))
    // It is one indeed.
    #expect(throws: ResolutionError.self) { try table().require(Knife.self) }

    #expect(table(cycle: true).makeGraph().checkIsValid(checkGraphCycles: true))
    #expect(throws: Never.self) { try table(cycle: true).require(Knife.self) }
  }

  @Test func `A circle of injections works where its instances are shared, and is no finding`() {
    func table(_ scope: Scope) -> Container {
      let table = Container()
      table.register(Fork.init).injection(\.spoon).scope(scope)
      table.register(Spoon.init).injection(\.fork).scope(scope)
      return table
    }
    #expect(table(.graph).makeGraph().checkIsValid())
    #expect(table(.graph).resolve(Fork.self).spoon.fork != nil)
    #expect(!table(.unique).makeGraph().checkIsValid())
    #expect(throws: ResolutionError.self) { try table(.unique).require(Fork.self) }
  }

  @Test func `What an injection needs and nobody registered is missing`() {
    let table = Container()
    table.register(Spoon.init).injection { (spoon: Spoon, fork: Fork) in spoon.fork = fork }
    let error = #expect(throws: ValidationError.self) { try table.validate() }
    #expect(error?.findings.map(\.kind) == [.missing])
  }

  @Test func `A list of lazy wrappers is an error, as it is by many`() {
    let table = Container()
    table.register(Spoon.init)
    #expect(throws: ResolutionError.self) { try table.requireMany(Lazy<Spoon>.self) }
    let error = #expect(throws: ResolutionError.self) {
      try table.requireMany(Provider<Spoon>.self)
    }
    #expect(
      error?.reason
        == .other("Lists contain services, not lazy wrappers, which resolve by type and name."))
  }
}
