import DIContainer
import Foundation
import Testing

private struct Catalog {}
private struct Shop {
  init(catalog: Catalog) {}
}

/// What an alert or a log shows that knows an error as any other.
@Suite("The localized description")
struct LocalizedDescriptionTests {
  private let resolver = Resolver()

  private func thrown(_ body: () throws -> Void) throws -> any Error {
    try #require(throws: (any Error).self, performing: body)
  }

  @Test("of an error of a resolution is its diagnosis")
  func resolution() throws {
    let error = try thrown { _ = try resolver.require(Catalog.self) }
    #expect(error.localizedDescription.hasPrefix("Nothing is registered for `Catalog`."))
    #expect(error.localizedDescription == String(describing: error))
  }

  @Test("of an error of validation is all that was found")
  func validation() throws {
    resolver.register(Shop.init)
    let error = try thrown { try resolver.validate() }
    #expect(error.localizedDescription.hasPrefix("1 thing is wrong with the wiring"))
    #expect(error.localizedDescription == String(describing: error))
  }

  @Test("of an error of a property names the key")
  func property() throws {
    let error = try thrown { let _: Int = try resolver.requireProperty("oven.heat") }
    #expect(error.localizedDescription.contains("oven.heat"))
    #expect(error.localizedDescription == String(describing: error))
  }
}
