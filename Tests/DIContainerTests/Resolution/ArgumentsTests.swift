import DIContainer
import Testing

private struct Order: Equatable {
  var id: Int
  var title: String?
}

extension Resolver {
  fileprivate static func registerOrders() {
    register { (_, args) in Order(id: args()) }.implements((any Equatable).self)
    register(name: "urgent") { _, args in
      var order = Order(id: args("id"))
      order.title = args.optional("title")
      return order
    }
    register(name: "short") { Order(id: $1()) }
    register(Order.self, name: "some") { _, args in args.optional("id").map { Order(id: $0) } }
  }
}

/// Arguments that a request passes to a factory.
@Suite("Arguments")
struct ArgumentsTests {
  private let resolver: Resolver = Resolver()

  @Test("A single argument is read by calling args, or with get")
  func single() {
    resolver.register { _, args in Order(id: args(), title: nil) }
    resolver.register(name: "get") { _, args in Order(id: args.get(), title: nil) }
    #expect(resolver.resolve(Order.self, args: 5).id == 5)
    #expect(resolver.resolve(Order.self, name: "get", args: 6).id == 6)
  }

  @Test("Several arguments are read by key")
  func keyed() {
    resolver.register { _, args in Order(id: args("id"), title: args.get("title")) }
    let order = resolver.resolve(Order.self, args: ["id": 5, "title": "Kettle"])
    #expect(order == Order(id: 5, title: "Kettle"))
  }

  @Test("What may be absent is read with optional")
  func optional() {
    resolver.register { _, args in
      Order(id: args.optional("id") ?? -1, title: args.optional("title"))
    }
    #expect(resolver.resolve(Order.self) == Order(id: -1))
    #expect(resolver.resolve(Order.self, args: ["id": 2]) == Order(id: 2))
    #expect(resolver.resolve(Order.self, args: ["title": "Pot"]) == Order(id: -1, title: "Pot"))
    resolver.register(name: "single") { _, args in Order(id: args.optional() ?? -1) }
    #expect(resolver.resolve(Order.self, name: "single", args: 4).id == 4)
    #expect(resolver.resolve(Order.self, name: "single", args: "four").id == -1)
  }

  @Test("The only entry of a dictionary is the only argument")
  func oneEntry() {
    resolver.register { _, args in Order(id: args()) }
    #expect(resolver.resolve(Order.self, args: ["id": 3]).id == 3)
  }

  @Test("Arguments can be values, objects, closures, optionals and arguments passed on")
  func kinds() {
    final class Box { var value = 1 }
    resolver.register(name: "object") { _, args in (args() as Box).value }
    resolver.register(name: "closure") { _, args in (args() as () -> Int)() }
    resolver.register(name: "array") { _, args in (args() as [Int]).count }
    resolver.register(name: "on") { r, args in r.resolve(Int.self, name: "array", args: args) }
    #expect(resolver.resolve(Int.self, name: "object", args: Box()) == 1)
    let seven: () -> Int = { 7 }
    #expect(resolver.resolve(Int.self, name: "closure", args: seven) == 7)
    #expect(resolver.resolve(Int.self, name: "array", args: [1, 2, 3]) == 3)
    #expect(resolver.resolve(Int.self, name: "on", args: [1, 2]) == 2)
    let maybe: Int? = 3
    resolver.register { _, args in Order(id: args()) }
    #expect(resolver.resolve(Order.self, args: maybe).id == 3)
  }

  @Test("A key that holds nil counts as missing")
  func keyWithNil() {
    resolver.register { _, args in Order(id: args("id"), title: args.optional("title")) }
    let args: [String: Any?] = ["id": 1, "title": nil]
    #expect(resolver.resolve(Order.self, args: args) == Order(id: 1))
  }

  @Test("A missing argument, a wrong one and one too many are errors for require")
  func errors() {
    resolver.register { _, args in Order(id: try args.require()) }
    resolver.register(name: "key") { _, args in Order(id: try args.require("id")) }
    func reason(_ name: Resolver.Name?, _ args: Any?) -> ResolutionError.Reason? {
      do throws(ResolutionError) {
        _ = try resolver.require(Order.self, name: name, args: args)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason(nil, nil) == .missingArgument(key: nil, type: "Int", given: []))
    #expect(reason(nil, "5") == .wrongArgument(key: nil, type: "Int", given: "String"))
    #expect(reason(nil, ["a": 1, "b": 2]) == .severalArguments(keys: ["a", "b"]))
    #expect(reason("key", nil) == .missingArgument(key: "id", type: "Int", given: []))
    #expect(
      reason("key", ["nr": 1]) == .missingArgument(key: "id", type: "Int", given: ["nr"]))
    #expect(
      reason("key", ["id": nil] as [String: Int?])
        == .missingArgument(key: "id", type: "Int", given: []))
    #expect(
      reason("key", ["id": "5"]) == .wrongArgument(key: "id", type: "Int", given: "String"))
    #expect(reason("key", ["id": 5]) == nil)
  }

  @Test("Scopes that keep an instance use the arguments of the request that builds it")
  func keptInstance() {
    resolver.register { _, args in Order(id: args()) }.scope(.cached)
    #expect(resolver.resolve(Order.self, args: 1).id == 1)
    #expect(resolver.resolve(Order.self, args: 2).id == 1)
  }

  @Test("The static forms take and pass them as those of a container do")
  func statics() throws {
    try inSandbox {
      Resolver.registerOrders()
      #expect(Resolver.resolve(Order.self, args: 5).id == 5)
      let urgent: Order = Resolver.resolve(name: "urgent", args: ["id": 6, "title": "Tea"])
      #expect(urgent == Order(id: 6, title: "Tea"))
      #expect(Resolver.optional(Order.self, name: "short", args: 7)?.id == 7)
      let alias = try Resolver.require((any Equatable).self, args: 8)
      #expect(alias as? Order == Order(id: 8))
      let none: Order? = Resolver.resolve(name: "some", args: ["other": 9])
      #expect(none == nil)
    }
  }

  @Test("Arguments are let go with the request")
  func letGo() {
    final class Token {}
    resolver.register { (_: Resolver, args: Resolver.Args) -> Order in
      _ = args() as Token
      return Order(id: 1)
    }
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      _ = resolver.resolve(Order.self, args: strong)
    }
    #expect(token == nil)
  }
}
