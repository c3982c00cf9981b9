import DoubleGenerator
import Foundation
import Testing

@Suite("The stub of a requirement") struct StubNamesTests {
  private func stubs(_ requirements: String...) throws -> [String] {
    var graph = Graph()
    graph.add("protocol P", requirements)
    return try graph.source(of: "P").text.split(separator: "\n").compactMap { line in
      guard let range = line.range(of: "let ") else { return nil }
      return String(line[range.upperBound...].prefix { $0 != " " })
    }
  }

  @Test("has the name of an overload's labels, and where those are equal, of its types")
  func names() throws {
    #expect(
      try stubs("func charge(_ cents: Int)", "func send(to name: String)") == ["charge", "send"])
    #expect(
      try stubs("func charge(_ cents: Int)", "func charge(_ cents: Int, for name: String)")
        == ["charge", "chargeFor"])
    #expect(
      try stubs("func charge(_ cents: Int)", "func charge(_ cents: [String: Double])")
        == ["chargeInt", "chargeStringDouble"])
    #expect(
      try stubs("func find(_ id: Int) -> Int", "func find(_ id: Int) -> String?")
        == ["findIntReturningInt", "findIntReturningString"])
    #expect(
      try stubs("func refresh()", "func refresh(force: Bool)") == ["refreshStub", "refreshForce"])
    #expect(
      try stubs("var charge: Int { get }", "func charge(_ cents: Int)") == [
        "getCharge", "chargeStub",
      ])
    #expect(
      try stubs("var name: Int { get }", "func getName() -> String") == [
        "getNameInt", "getNameStub",
      ])
    #expect(try stubs("init(limit: Int)", "init(_ value: Int)") == ["initLimit", "initStub"])
    #expect(try stubs("func `default`(_ value: Int)") == ["`default`"])
  }

  @Test("has a name for each overload whose types have the same words")
  func exactNames() throws {
    #expect(
      try stubs("func save(_ item: Int)", "func save(_ items: [Int])")
        == ["saveInt", "saveArrayInt"])
    #expect(
      try stubs(
        "func save(_ item: String)", "func save(_ items: String?)", "func save(_ items: String...)")
        == ["saveString", "saveOptionalString", "saveVariadicString"])
    #expect(
      try stubs("func save(_ table: [String: Int])", "func save(_ pairs: [(String, Int)])")
        == ["saveDictionaryStringInt", "saveArrayTupleStringInt"])
    #expect(
      try stubs("func save(_ item: Int)", "func save(_ item: () -> Int)")
        == ["saveInt", "saveFunctionInt"])
  }

  @Test("has the names of a property's accessors with its type where a method is called like one")
  func settersNames() throws {
    #expect(
      try stubs("var volume: Int { get set }", "func setVolume(_ level: Int)")
        == ["getVolumeInt", "setVolumeInt", "setVolume"])
    #expect(
      try stubs("var volume: Int { get set }", "func setVolume()")
        == ["getVolumeInt", "setVolumeInt", "setVolumeStub"])
    #expect(
      try stubs("func setVolume(_ level: Int)", "var volume: Int { get }")
        == ["setVolume", "getVolume"])
  }

  @Test("has a name for the async one of two overloads")
  func asyncNames() throws {
    #expect(
      try stubs(
        "func load(_ page: Int) throws -> Int", "func load(_ page: Int) async throws -> Int")
        == ["load", "loadAsync"])
    #expect(
      try stubs("func load() -> Int", "func load() async -> Int") == ["loadStub", "loadAsync"])
  }

  @Test("has a name for each of two overloads that differ in their constraints")
  func constraintsNames() throws {
    #expect(
      try stubs(
        "func put<T>(_ item: T) where T: Equatable", "func put<T>(_ item: T) where T: Encodable")
        == ["putTWhereTEquatable", "putTWhereTEncodable"])
  }

  @Test("has a name for each operator outside ASCII")
  func operatorsNames() throws {
    #expect(
      try stubs(
        "func ∪ (left: Self, right: Self) -> Self", "func ⊂ (left: Self, right: Self) -> Self")
        == ["unionOperator", "subsetOfOperator"])
    #expect(try stubs("func ∪ (left: Self, right: Self) -> Self") == ["symbolOperator"])
  }

  @Test("leaves requirements to be written by hand whose stubs would have one name")
  func clashingNames() throws {
    var graph = Graph()
    graph.add(
      "protocol P",
      ["func put(_ pair: (Int, Int), _ third: Int)", "func put(_ all: (Int, Int, Int))"])
    #expect(
      try graph.source(of: "P").byHand == [
        "`P.put(_:_:)`: its stub would have the name of another: "
          + "extension PDouble { func put(_ pair: (Int, Int), _ third: Int) { … } }",
        "`P.put(_:)`: its stub would have the name of another: "
          + "extension PDouble { func put(_ all: (Int, Int, Int)) { … } }",
      ])
  }

  @Test("is escaped where a call of it would be read as something else")
  func escapes() throws {
    #expect(try stubs("func await(_ page: Int)", "func wait(_ page: Int)") == ["`await`", "wait"])
  }

  @Test("has no property `self`")
  func selfIsNoStub() throws {
    #expect(try stubs("func `self`(_ value: Int) -> Int") == ["selfStub"])
  }

  @Test("has the same names whatever the order of the requirements")
  func namesDoNotDependOnOrder() throws {
    let requirements = [
      "func charge(_ cents: Int)", "func charge(_ cents: Double)", "func charge(by name: String)",
    ]
    let names = try stubs(requirements[0], requirements[1], requirements[2])
    #expect(names == ["chargeInt", "chargeDouble", "chargeBy"])
    #expect(
      try stubs(requirements[2], requirements[1], requirements[0]) == Array(names.reversed()))
  }

  @Test("of an overloaded static requirement is identified by its own name")
  func staticOverloads() throws {
    var graph = Graph()
    graph.add(
      "protocol P",
      [
        "static func make() -> Int", "static func put(_ value: Int)",
        "static func put(_ value: String)", "static subscript(_ index: Int) -> Int { get set }",
        "static subscript(_ key: String) -> Int { get }", "func put(_ value: Int)",
      ])
    let names = try graph.source(of: "P").text.split(separator: "\n").compactMap { line in
      line.range(of: "(shared|Stub<.*>)\\(\"", options: .regularExpression).map { range in
        line[range.upperBound...].prefix { $0 != "\"" }
      }
    }
    #expect(
      names == [
        "P.make()", "PDouble.putInt", "PDouble.putString", "PDouble.getSubscriptInt",
        "PDouble.setSubscriptInt", "PDouble.getSubscriptString", "P.put(_:)",
      ])
  }
}
