import DICompatibility
import DIContainer
import Testing

private protocol Mailer: AnyObject {}
private final class LiveMailer: Mailer {}

private struct A: Equatable { var n = 1 }
private struct B: Equatable { var n = 2 }
private struct C: Equatable { var n = 3 }
private struct D: Equatable { var n = 4 }
private struct E: Equatable { var n = 5 }
private struct F: Equatable { var n = 6 }
private struct G: Equatable { var n = 7 }
private struct H: Equatable { var n = 8 }

private struct Zero: Equatable { init() {} }
private struct One: Equatable { let a: A }
private struct Two: Equatable { let a: A, b: B }
private struct Three: Equatable { let a: A, b: B, c: C }
private struct Four: Equatable { let a: A, b: B, c: C, d: D }
private struct Five: Equatable { let a: A, b: B, c: C, d: D, e: E }
private struct Six: Equatable { let a: A, b: B, c: C, d: D, e: E, f: F }
private struct Seven: Equatable { let a: A, b: B, c: C, d: D, e: E, f: F, g: G }
private struct Eight: Equatable { let a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H }

private final class Desk {
  let mailer: any Mailer
  let a: A?

  init(mailer: any Mailer, a: A?) {
    self.mailer = mailer
    self.a = a
  }
}

private struct Closed: Error, Equatable {}

private final class Till {
  init(a: A) throws {
    if a.n < 0 { throw Closed() }
  }
}

private final class Drawer {
  init?(a: A) {
    if a.n < 0 { return nil }
  }
}

/// `register(Service.init)`: parameters are resolved by type.
@Suite("Registering an initialiser")
struct InitialiserTests {
  private let resolver: Resolver = Resolver { r in
    r.register(A.init)
    r.register { B() }
    r.register { C() }
    r.register { D() }
    r.register { E() }
    r.register { F() }
    r.register { G() }
    r.register { H() }
  }

  @Test("Any number of parameters, none included, is resolved by type")
  func arities() {
    resolver.register(Zero.init)
    resolver.register(One.init)
    resolver.register(Two.init)
    resolver.register(Three.init)
    resolver.register(Four.init)
    resolver.register(Five.init)
    resolver.register(Six.init)
    resolver.register(Seven.init)
    resolver.register(Eight.init)
    #expect(resolver.resolve(Zero.self) == Zero())
    #expect(resolver.resolve(One.self) == One(a: A()))
    #expect(resolver.resolve(Two.self) == Two(a: A(), b: B()))
    #expect(resolver.resolve(Three.self) == Three(a: A(), b: B(), c: C()))
    #expect(resolver.resolve(Four.self) == Four(a: A(), b: B(), c: C(), d: D()))
    #expect(resolver.resolve(Five.self) == Five(a: A(), b: B(), c: C(), d: D(), e: E()))
    #expect(resolver.resolve(Six.self) == Six(a: A(), b: B(), c: C(), d: D(), e: E(), f: F()))
    #expect(
      resolver.resolve(Seven.self)
        == Seven(a: A(), b: B(), c: C(), d: D(), e: E(), f: F(), g: G()))
    #expect(
      resolver.resolve(Eight.self)
        == Eight(a: A(), b: B(), c: C(), d: D(), e: E(), f: F(), g: G(), h: H()))
  }

  @Test("A closure with typed parameters may have a name, and a type")
  func namedClosure() throws {
    resolver.register(name: "one") { (a: A) in One(a: a) }
    resolver.register(name: "two") { (a: A, b: B) in Two(a: a, b: b) }
    resolver.register((any Mailer).self, name: "three") { (_: A, _: B, _: C) in LiveMailer() }
    #expect(resolver.resolve(One.self, name: "one") == One(a: A()))
    #expect(resolver.resolve(Two.self, name: "two") == Two(a: A(), b: B()))
    #expect(resolver.resolve((any Mailer).self, name: "three") is LiveMailer)
    #expect(resolver.optional(Two.self) == nil)
    let two = try #require(resolver.registrations.first { $0.key.name == "two" })
    #expect(two.dependencies?.map(\.key) == [ServiceKey(A.self), ServiceKey(B.self)])
    inSandbox {
      Resolver.register(name: "named") { (a: A) in One(a: a) }
      Resolver.register { A(n: 9) }
      #expect(Resolver.main.resolve(One.self, name: "named") == One(a: A(n: 9)))
    }
  }

  @Test("A named closure whose first parameter is the container takes arguments, as without a name")
  func namedClosureWithContainer() {
    resolver.register(One.self, name: "given") { (_: Resolver, a: A) in One(a: a) }
    resolver.register(Two.self, name: "both") { (_: Resolver, a: A, b: B) in Two(a: a, b: b) }
    resolver.register(name: "asked") { r in One(a: r.resolve()) }
    #expect(resolver.resolve(One.self, name: "given", argument: A(n: 5)) == One(a: A(n: 5)))
    let both = resolver.resolve(Two.self, name: "both", arguments: A(n: 5), B(n: 6))
    #expect(both == Two(a: A(n: 5), b: B(n: 6)))
    #expect(resolver.resolve(One.self, name: "asked") == One(a: A()))
  }

  @Test("An optional parameter gets what is registered, and nil if nothing is")
  func optionalParameter() {
    resolver.register { LiveMailer() as any Mailer }
    resolver.register(Desk.init)
    #expect(resolver.resolve(Desk.self).a == A())
    resolver.remove(A.self)
    #expect(resolver.resolve(Desk.self).a == nil)
  }

  @Test("What a parameter lacks is thrown by require, with the chain")
  func missingParameter() {
    resolver.register(Desk.init)
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Desk.self) }
    #expect(error?.reason == .notRegistered)
    #expect(error?.key == ServiceKey((any Mailer).self))
    #expect(error?.chain == [ServiceKey(Desk.self), ServiceKey((any Mailer).self)])
  }

  @Test("An initialiser that throws is thrown by require")
  func throwingInitialiser() throws {
    resolver.register(Till.init)
    _ = try resolver.require(Till.self)
    resolver.register { A(n: -1) }
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Till.self) }
    #expect(error?.reason == .factoryFailed("Closed()"))
    #expect(error?.underlying as? Closed == Closed())
  }

  @Test("An initialiser that may fail is registered for what it makes")
  func failableInitialiser() {
    resolver.register(Drawer.init)
    #expect(resolver.optional(Drawer.self) != nil)
    resolver.register { A(n: -1) }
    #expect(resolver.optional(Drawer.self) == nil)
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Drawer.self) }
    #expect(error?.reason == .factoryReturnedNil)
  }

  @Test("A closure with typed parameters is injected by type")
  func typedClosure() {
    resolver.register { (a: A, b: B) in Two(a: a, b: b) }
    #expect(resolver.resolve(Two.self) == Two(a: A(), b: B()))
  }

  @Test("Its dependencies are known without running anything")
  func dependencies() throws {
    resolver.register(Desk.init, name: "main").scope(.cached)
    let desk = try #require(resolver.registrations.first { $0.key.name == "main" })
    #expect(
      desk.dependencies == [
        Dependency(ServiceKey((any Mailer).self)),
        Dependency(ServiceKey(A.self), isOptional: true),
      ])
    #expect(desk.dependencies?.map(\.description) == ["any Mailer", "A?"])
    #expect(desk.key == ServiceKey(Desk.self, name: "main"))
  }

  @Test("A function of one's own is as good as an initialiser")
  func function() {
    func make(b: B, a: A) -> Two { Two(a: a, b: b) }
    resolver.register(make, name: "made").scope(.unique)
    #expect(resolver.resolve(Two.self, name: "made") == Two(a: A(), b: B()))
  }

  @Test("It can implement protocols and be kept")
  func options() {
    resolver.register(LiveMailer.init).implements((any Mailer).self).scope(.cached)
    resolver.register(Desk.init)
    #expect(resolver.resolve(Desk.self).mailer === resolver.resolve(LiveMailer.self))
  }
}
