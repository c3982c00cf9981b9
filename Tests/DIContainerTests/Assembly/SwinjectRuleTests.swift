import DICompatibility
import DIContainer
import Testing

// The extensions that the guide on Swinject shows, for a module that wants its rule.
extension Resolver {
  fileprivate func resolve<Service>(
    _ type: Service.Type, name: Name? = nil, file: StaticString = #fileID,
    path: StaticString = #filePath, line: UInt = #line
  ) -> Service? { optional(type, name: name, fileID: file, filePath: path, line: line) }

  fileprivate func resolve<Service, Argument>(
    _ type: Service.Type, name: Name? = nil, argument: Argument, file: StaticString = #fileID,
    path: StaticString = #filePath, line: UInt = #line
  ) -> Service? {
    resolve(type, name: name, argument: argument, fileID: file, filePath: path, line: line)
  }

  fileprivate func resolve<Service, First, Second, each Other>(
    _ type: Service.Type, name: Name? = nil, arguments first: First, _ second: Second,
    _ others: repeat each Other, file: StaticString = #fileID, path: StaticString = #filePath,
    line: UInt = #line
  ) -> Service? {
    resolve(
      type, name: name, arguments: first, second, repeat each others, fileID: file,
      filePath: path, line: line)
  }
}
extension ServiceResolver {
  fileprivate func resolve<Service>(
    _ type: Service.Type, name: Resolver.Name? = nil, file: StaticString = #fileID,
    path: StaticString = #filePath, line: UInt = #line
  ) -> Service? { optional(type, name: name, fileID: file, filePath: path, line: line) }
}

private struct Catalog {
  var title = "tea"
}
private struct CatalogAssembly: Assembly {
  func assemble(container: Container) {
    container.register(Catalog.self) { _ in Catalog() }
  }
}

@Suite struct SwinjectRuleTests {
  @Test func `An extension makes every request of its module optional, as in Swinject`() {
    let empty = Container().resolve(Catalog.self)
    #expect(empty?.title == nil)
    let assembler = Assembler([CatalogAssembly()])
    let catalog = assembler.resolver.resolve(Catalog.self)
    #expect(catalog!.title == "tea")
    let shop = Container()
    shop.register(Catalog.self) { _, title in Catalog(title: title) }
    #expect(shop.resolve(Catalog.self, argument: "coffee")?.title == "coffee")
    shop.register(Catalog.self) { _, title, mark in Catalog(title: title + mark) }
    let marked = shop.resolve(Catalog.self, arguments: "coffee", "!")
    #expect(marked?.title == "coffee!")
    #expect(shop.resolve(Catalog.self, name: "night", arguments: 1, 2, 3)?.title == nil)
    let night = assembler.resolver.resolve(Catalog.self, name: "night")
    #expect(night?.title == nil)
  }
}
