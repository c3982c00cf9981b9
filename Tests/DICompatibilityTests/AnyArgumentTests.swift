import DICompatibility
import Testing

private final class Parcel {
  let content: Any?
  let note: String

  init(content: Any?) { (self.content, note) = (content, "\(content ?? "nothing")") }
  init(_ first: Any, _ second: Any) { (content, note) = (nil, "\(first) \(second)") }
}

private func pack(_ resolver: Resolver, _ content: Any) -> Parcel { Parcel(content: content) }

@Suite struct AnyArgumentTests {
  private let shop = Container()

  @Test func `A factory that declares its argument as Any receives the argument`() {
    shop.register(Parcel.self) { (_, content: Any) in Parcel(content: content) }
    #expect(shop.resolve(Parcel.self, argument: "tea").note == "tea")
    #expect(shop.resolve(Parcel.self, argument: 3 as Any).note == "3")
    #expect(shop.resolve(Parcel.self, args: "tea").note == "tea")
  }

  @Test func `A factory that passes its argument on as Any? receives the argument`() {
    shop.register(Parcel.self) { _, content in Parcel(content: content) }
    #expect(shop.resolve(Parcel.self, argument: "tea").note == "tea")
    #expect(shop.resolve(Parcel.self, argument: "tea" as Any?).note == "tea")
  }

  @Test func `An argument declared as Any? is nil if nil is passed`() {
    shop.register(Parcel.self) { (_, content: Any?) in Parcel(content: content) }
    #expect(shop.resolve(Parcel.self, argument: "tea" as Any?).note == "tea")
    #expect(shop.resolve(Parcel.self, argument: nil as Any?).content == nil)
  }

  @Test func `A function whose argument is Any is a factory`() {
    shop.register(Parcel.self, name: "packed", factory: pack)
    #expect(shop.resolve(Parcel.self, name: "packed", argument: "tea").note == "tea")
  }

  @Test func `A name in a string makes no difference`() {
    let name = "packed".lowercased()
    shop.register(Parcel.self, name: name) { (_, content: Any) in Parcel(content: content) }
    #expect(shop.resolve(Parcel.self, name: name, argument: "tea").note == "tea")
  }

  @Test func `Several arguments of type Any are no optionals`() {
    shop.register(Parcel.self) { _, first, second in Parcel(first, second) }
    #expect(shop.resolve(Parcel.self, arguments: "black", "tea").note == "black tea")
    #expect(shop.resolve(Parcel.self, arguments: "black" as Any?, "tea").note == "black tea")
  }

  @Test func `An argument of type Any that is not passed is an error`() {
    shop.register(Parcel.self) { _, first, second in Parcel(first, second) }
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Parcel.self, args: ["1": "black"])
    }
    #expect(error?.reason == .missingArgument(key: "2", type: "Any", given: ["1"]))
  }

  @Test func `A factory that reads arguments by key receives all of them`() {
    shop.register(Parcel.self) { _, args in Parcel(args("first"), args("second")) }
    #expect(
      shop.resolve(Parcel.self, args: ["first": "black", "second": "tea"]).note == "black tea")
  }

  @Test func `A factory passes on all arguments, one or several`() {
    shop.register(Parcel.self) { _, args in Parcel(content: args("content") as String) }
    shop.register(String.self) { _, length in "\(length as Int)" }
    shop.register([Parcel].self) { r, args in [r.resolve(Parcel.self, args: args)] }
    shop.register([String].self) { r, args in [r.resolve(String.self, args: args)] }
    #expect(shop.resolve([Parcel].self, args: ["content": "tea"]).first?.note == "tea")
    #expect(shop.resolve([String].self, args: 3) == ["3"])
  }

  @Test func `A factory that does not use its arguments needs none`() {
    shop.register(Parcel.self) { _, _ in Parcel(content: "tea") }
    #expect(shop.resolve(Parcel.self).note == "tea")
  }
}
