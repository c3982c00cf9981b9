import DICompatibility
import DIContainer
import Testing

private struct Order: Equatable {
  var id: Int
  var title = ""
}
private final class Letter {
  let id: Int
  var title = ""
  init(id: Int) { self.id = id }
}

/// All forms in which a factory takes arguments without reading them itself, and those that throw.
@Suite("An argument that is missing, or of another type, is thrown by `require`")
struct ArgumentErrorTests {
  private let shop = Resolver()
  private let here = "DIContainerTests/ArgumentErrorTests.swift"

  private func reason(_ ask: () throws -> Void) -> ResolutionError.Reason? {
    do {
      try ask()
      return nil
    } catch {
      return (error as? ResolutionError)?.reason
    }
  }

  @Test("by a factory of one argument")
  func one() {
    shop.register(Order.self) { (_: Resolver, id: Int) in Order(id: id) }
    #expect(reason { _ = try shop.require(Order.self, args: 7) } == nil)
    #expect(
      reason { _ = try shop.require(Order.self) }
        == .missingArgument(key: nil, type: "Int", given: []))
    #expect(
      reason { _ = try shop.require(Order.self, args: "7") }
        == .wrongArgument(key: nil, type: "Int", given: "String"))
    #expect(
      reason { _ = try shop.require(Order.self, args: "7") }
        == .wrongArgument(key: nil, type: "Int", given: "String"))
    #expect(
      reason { _ = try shop.require(Order.self, args: Resolver.Args(7, "Tea")) }
        == .severalArguments(keys: ["1", "2"]))
  }

  @Test("by a factory of several arguments")
  func several() {
    shop.register(Order.self) { (_: Resolver, id: Int, title: String) in
      Order(id: id, title: title)
    }
    #expect(reason { _ = try shop.require(Order.self, args: Resolver.Args(7, "Tea")) } == nil)
    #expect(
      reason { _ = try shop.require(Order.self) }
        == .missingArgument(key: "1", type: "Int", given: []))
    #expect(
      reason { _ = try shop.require(Order.self, args: Resolver.Args("7", "Tea")) }
        == .wrongArgument(key: "1", type: "Int", given: "String"))
    #expect(
      reason { _ = try shop.require(Order.self, args: Resolver.Args(7, 8)) }
        == .wrongArgument(key: "2", type: "String", given: "Int"))
  }

  @Test("by parameters and injections that take them with `arg`")
  func positions() {
    shop.register { Letter(id: arg($0)) }.injection { $0.title = arg($1) }
    #expect(reason { _ = try shop.require(Letter.self, args: Resolver.Args(7, "Tea")) } == nil)
    #expect(
      reason { _ = try shop.require(Letter.self) }
        == .missingArgument(key: "1", type: "Int", given: []))
    #expect(
      reason { _ = try shop.require(Letter.self, args: 7) }
        == .missingArgument(key: "2", type: "String", given: [""]))
    #expect(
      reason { _ = try shop.require(Letter.self, args: Resolver.Args(7, 8)) }
        == .wrongArgument(key: "2", type: "String", given: "Int"))
  }

  @Test("by properties that read them with `require`")
  func properties() {
    shop.register { Letter(id: 1) }.resolveProperties { _, letter, args in
      letter.title = try args.require("title")
    }
    #expect(reason { _ = try shop.require(Letter.self, args: ["title": "Tea"]) } == nil)
    #expect(
      reason { _ = try shop.require(Letter.self) }
        == .missingArgument(key: "title", type: "String", given: []))
  }

  @Test("under another type, and of a kept service, which is not kept then")
  func further() {
    shop.register(Order.self) { (_: Resolver, id: Int) in Order(id: id) }.scope(.cached)
      .implements((any Equatable).self)
    let wrong = ResolutionError.Reason.wrongArgument(key: nil, type: "Int", given: "String")
    #expect(reason { _ = try shop.require((any Equatable).self, args: "7") } == wrong)
    #expect(reason { _ = try shop.require(Order.self, args: "7") } == wrong)
    #expect(reason { _ = try shop.require(Order.self, args: 7) } == nil)
  }

  @Test("by one of all services of a type, and through a service that passes it on")
  func onTheWay() {
    shop.register(Order.self) { (_: Resolver, id: Int) in Order(id: id) }
    shop.register { r, args in Letter(id: try r.require(Order.self, args: args).id) }
    let wrong = ResolutionError.Reason.wrongArgument(key: nil, type: "Int", given: "String")
    #expect(reason { _ = try shop.requireMany(Order.self, args: "7") } == wrong)
    #expect(reason { _ = try shop.require(Letter.self, args: "7") } == wrong)
  }

  @Test("by async factories, and requests that wait")
  func waiting() async {
    shop.register(Order.self) { (_: Resolver, id: Int) in Order(id: id) }
    shop.registerAsync(Order.self, name: "async") { _, args in Order(id: try args.require()) }
    let wrong = ResolutionError.Reason.wrongArgument(key: nil, type: "Int", given: "String")
    for name in [nil, "async"] as [Resolver.Name?] {
      let error = await #expect(throws: ResolutionError.self) {
        try await shop.requireAsync(Order.self, name: name, args: "7")
      }
      #expect(error?.reason == wrong)
    }
  }

  @Test("with the whole diagnosis")
  func text() throws {
    let line = #line + 1
    shop.register(Order.self) { (_: Resolver, id: Int) in Order(id: id) }
    let error = #expect(throws: ResolutionError.self) { try shop.require(Order.self, args: "7") }
    #expect(
      error?.description == """
        The factory of `Order` reads its argument as `Int`, but it is of type `String`.

          requested:  \(here):\(line + 1)
          read:       \(here):\(line)

        To fix this:
          - Pass a value of type `Int`, or read it as `String`.
        """)
  }
}
