import DICompatibility
import Testing

/// A loader of one property, or of none.
private struct NameLoader: PropertyLoader {
  var name: String?
  var source: String { "names" }

  func load() throws -> [String: PropertyValue] {
    guard let name else { throw PropertyError(.missingFile, source: source) }
    return ["name": .string(name)]
  }
}

private struct NamingAssembly: Assembly {
  func assemble(container: Container) {
    container.register(String.self, name: "greeting") { r in
      "Welcome to \(r.property("name") as String)"
    }
  }

  func loaded(resolver: Resolver) {
    #expect(resolver.property("name") == "Storefront")
  }
}

@Suite struct SwinjectPropertiesTests {
  @Test func `A container applies a property loader`() throws {
    let shop = Container()
    try shop.applyPropertyLoader(NameLoader(name: "Storefront"))
    #expect(shop.property("name") == "Storefront")
  }

  @Test func `A container throws what its loader cannot load`() {
    let shop = Container()
    #expect(throws: PropertyError(.missingFile, source: "names")) {
      try shop.applyPropertyLoader(NameLoader())
    }
  }

  @Test func `An assembler applies property loaders before its assemblies`() throws {
    let assembler = try Assembler(
      assemblies: [NamingAssembly()],
      propertyLoaders: [NameLoader(name: "Shop"), NameLoader(name: "Storefront")])
    let greeting = assembler.resolver.resolve(String.self, name: "greeting")
    #expect(greeting == "Welcome to Storefront")
  }

  @Test func `An assembler applies property loaders to the container that it is given`() throws {
    let shop = Container()
    _ = try Assembler(
      assemblies: [], propertyLoaders: [NameLoader(name: "Storefront")], container: shop)
    #expect(shop.property("name") == "Storefront")
  }

  @Test func `An assembler throws what a loader cannot load`() {
    #expect(throws: PropertyError(.missingFile, source: "names")) {
      _ = try Assembler(assemblies: [NamingAssembly()], propertyLoaders: [NameLoader()])
    }
  }
}
