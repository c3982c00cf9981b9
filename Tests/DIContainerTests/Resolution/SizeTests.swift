import DIContainer
import Testing

/// A value larger than what requests have room for beside them.
private struct Catalogue: Equatable {
  var pages: (Int, Int, Int, Int, Int, Int, Int, Int) = (1, 2, 3, 4, 5, 6, 7, 8)
  let title = "catalogue"

  static func == (left: Self, right: Self) -> Bool {
    left.title == right.title && left.pages.0 == right.pages.0 && left.pages.7 == right.pages.7
  }
}

private struct Nothing: Equatable {}

@Suite("Services of any size")
struct SizeTests {
  private static func check<Service: Equatable & Sendable>(_ service: Service) throws {
    for scope in [Scope.unique, .graph, .cached, .container] {
      let resolver = Resolver()
      resolver.register { service }.scope(scope)
      for _ in 0..<2 {
        #expect(resolver.resolve(Service.self) == service)
        #expect(resolver.optional(Service.self) == service)
        #expect(try resolver.require(Service.self) == service)
        #expect(resolver.resolve(Service.self, args: 1) == service)
      }
    }
  }

  @Test("Larger than five words") func large() throws { try Self.check(Catalogue()) }
  @Test("Aligned to more than a word") func aligned() throws {
    try Self.check(SIMD8<Double>(repeating: 1.5))
  }
  @Test("Of no size at all") func empty() throws { try Self.check(Nothing()) }
  @Test("A word, two and five") func small() throws {
    try Self.check(7)
    try Self.check("two words")
    try Self.check([Int?](repeating: 1, count: 3))
    try Self.check(Optional<String>.some("some"))
  }
}
