import DICompatibility
import DIContainer
import Testing

private struct Ticket: Equatable {
  let shop: String
  var number = 0
  var copies = 1
}

private let shop = Resolver { r in
  r.register(Ticket.self, name: "one") { (_, shop: String) in Ticket(shop: shop) }
  r.register(Ticket.self) { (_, shop: String, number: Int, copies: Int) in
    Ticket(shop: shop, number: number, copies: copies)
  }
}
private let tea = Ticket(shop: "Tea")
private let three = Ticket(shop: "Tea", number: 7, copies: 2)

@Suite struct SwinjectArgumentsTests {
  @Test func `Every verb takes one argument`() throws {
    #expect(shop.resolve(Ticket.self, name: "one", argument: "Tea") == tea)
    #expect(shop.optional(Ticket.self, name: "one", args: "Tea") == tea)
    #expect(try shop.require(Ticket.self, name: "one", args: "Tea") == tea)
    #expect(shop.optional(Ticket.self, name: "two", args: "Tea") == nil)
  }

  @Test func `Every verb takes several, by position`() throws {
    #expect(shop.resolve(Ticket.self, arguments: "Tea", 7, 2) == three)
    #expect(shop.optional(Ticket.self, args: Resolver.Args("Tea", 7, 2)) == three)
    #expect(try shop.require(Ticket.self, args: Resolver.Args("Tea", 7, 2)) == three)
    #expect(shop.optional(Ticket.self, name: "two", args: Resolver.Args("Tea", 7, 2)) == nil)
  }

  @Test func `So does a view that can only resolve`() throws {
    let view: any ServiceResolver = shop
    #expect(view.optional(Ticket.self, name: "one", args: "Tea") == tea)
    #expect(try view.require(args: Resolver.Args("Tea", 7, 2)) == three)
  }

  @Test func `Where an optional is asked for, the answer is nil if there is none`() {
    let one: Ticket? = shop.resolve(name: "two", argument: "Tea")
    let several: Ticket? = shop.resolve(name: "two", arguments: "Tea", 7, 2)
    #expect(one == nil)
    #expect(several == nil)
    let positions: Ticket? = shop.resolve(name: "two", args: "Tea", 7, 2)
    #expect(positions == nil)
  }

  @Test func `require throws where an argument is of another type, and says which`() {
    let line: UInt = #line + 1
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Ticket.self, args: Resolver.Args("Tea", "seven", 2))
    }
    #expect(error?.reason == .wrongArgument(key: "2", type: "Int", given: "String"))
    #expect(error?.requestedAt.description == "\(#fileID):\(line)")
  }
}
