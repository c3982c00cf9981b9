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
