import DIContainer
import Testing

private protocol Payments: AnyObject {}
private final class LivePayments: Payments {}

private struct Catalog: Equatable {
  var items = 3
}

/// The verbs that ask, and what they answer.
@Suite("Asking")
struct AskingTests {
  private let resolver: Resolver = Resolver()

  @Test("The type is inferred, or given")
  func inference() {
    resolver.register { Catalog() }
    let inferred: Catalog = resolver.resolve()
    let given = resolver.resolve(Catalog.self)
    #expect(inferred == given)
    #expect(resolver.resolve(Catalog.self).items == 3)
  }

  @Test("Where an optional is asked for, what is missing is nil")
  func optionals() {
    let missing: Catalog? = resolver.resolve()
    #expect(missing == nil)
    #expect(resolver.resolve(Catalog.self) as Catalog? == nil)
    if let catalog: Catalog = resolver.resolve() { Issue.record("found \(catalog)") }
    guard let _: Catalog = resolver.resolve() else {
      resolver.register { Catalog(items: 1) }
      let found: Catalog? = resolver.resolve()
      #expect(found?.items == 1)
      return
    }
    Issue.record("found a catalog")
  }

  @Test("A default stands in for what is missing")
  func coalescing() {
    #expect((resolver.resolve() ?? Catalog(items: 9)).items == 9)
    #expect((resolver.resolve(Catalog.self) ?? Catalog(items: 9)).items == 9)
    resolver.register { Catalog() }
    #expect((resolver.resolve() ?? Catalog(items: 9)).items == 3)
  }

  @Test("Optional chaining asks for an optional")
  func chaining() {
    #expect(resolver.resolve(Catalog.self)?.items == nil)
    resolver.register { Catalog() }
    #expect(resolver.resolve(Catalog.self)?.items == 3)
  }

  @Test("An exclamation mark after resolve compiles and unwraps")
  func forceUnwrapping() {
    resolver.register { Catalog() }
    #expect(resolver.resolve(Catalog.self)!.items == 3)
    let catalog: Catalog = resolver.resolve()!
    #expect(catalog.items == 3)
    let implicit: Catalog! = resolver.resolve()
    #expect(implicit.items == 3)
  }

  @Test("An optional property and an optional argument may be absent")
  func optionalTargets() {
    struct Shop { var catalog: Catalog? }
    var shop = Shop(catalog: Catalog())
    shop.catalog = resolver.resolve()
    #expect(shop.catalog == nil)
    #expect(Shop(catalog: resolver.resolve()).catalog == nil)
    #expect(Shop(catalog: resolver.optional()).catalog == nil)
  }

  @Test("A generic function can pass on what it is asked for")
  func genericForwarding() {
    func forward<T>(_ type: T.Type = T.self) -> T { resolver.resolve() }
    func forwardOptional<T>(_ type: T.Type = T.self) -> T? { resolver.optional() }
    #expect(forwardOptional(Catalog.self) == nil)
    let optional: Catalog? = forward()
    #expect(optional == nil)
    resolver.register { Catalog() }
    #expect(forward(Catalog.self) == Catalog())
    #expect(forwardOptional(Catalog.self) == Catalog())
  }

  @Test("An optional that was registered as such is found as such")
  func registeredOptional() {
    resolver.register((Catalog?).self) { .some(.some(Catalog(items: 7))) }
    let found: Catalog? = resolver.resolve()
    #expect(found == Catalog(items: 7) || found == nil)
    #expect(resolver.resolve((Catalog?).self)?.items == 7)
  }

  @Test("Optional answers nil for what is missing and for a factory that answers nil")
  func optional() {
    #expect(resolver.optional(Catalog.self) == nil)
    resolver.register { () -> Catalog? in nil }
    #expect(resolver.optional(Catalog.self) == nil)
    resolver.register(name: "summer") { Catalog() }
    #expect(resolver.optional(name: "summer") == Catalog())
  }

  @Test("Require answers, or throws what is missing")
  func require() throws {
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Catalog.self) }
    #expect(error?.reason == .notRegistered)
    resolver.register { Catalog() }
    #expect(try resolver.require() == Catalog())
    #expect(try resolver.require(Catalog.self) == Catalog())
    #expect((try? resolver.require(String.self)) == nil)
  }

  @Test("Require throws what a factory throws, with the error inside")
  func throwingFactory() {
    struct OutOfStock: Error, Equatable {}
    resolver.register { () throws -> Catalog in throw OutOfStock() }
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Catalog.self) }
    #expect(error?.reason == .factoryFailed("OutOfStock()"))
    #expect(error?.underlying as? OutOfStock == OutOfStock())
    #expect(error?.key == ServiceKey(Catalog.self))
  }

  @Test("Errors of the same failure are equal, of different ones are not")
  func equality() {
    func fail(_ name: Resolver.Name?) -> ResolutionError? {
      do throws(ResolutionError) {
        _ = try resolver.require(Catalog.self, name: name)
        return nil
      } catch {
        return error
      }
    }
    #expect(fail("a") == fail("a"))
    #expect(fail("a") != fail("b"))
    #expect(fail("a") != fail(nil))
  }

  @Test("The factory gets the container that was asked, not the one that holds it")
  func askedContainer() {
    let child = Resolver()
    let parent = Resolver(child: child)
    let asked = Lock<[Resolver]>([])
    child.register { r in
      asked.withLock { $0.append(r) }
      return LivePayments() as any Payments
    }
    _ = parent.resolve((any Payments).self)
    _ = child.resolve((any Payments).self)
    let all = asked.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.first === parent && all.last === child)
  }

  @Test("A parent's registration is used by a child's factory when the parent is asked")
  func siblingsAreVisible() {
    let child = Resolver { r in
      r.register { Catalog(items: 1) }
      r.register(name: "count") { r in r.resolve(Catalog.self).items }
    }
    let parent = Resolver(child: child)
    parent.register { Catalog(items: 2) }
    #expect(parent.resolve(Int.self, name: "count") == 2)
    #expect(child.resolve(Int.self, name: "count") == 1)
  }

  @Test("The resolving view asks like the container")
  func resolvingView() throws {
    let view: any ServiceResolver = resolver
    resolver.register { Catalog() }
    let plain: Catalog = view.resolve()
    let optional: String? = view.resolve()
    #expect(plain == Catalog())
    #expect(optional == nil)
    #expect(view.optional(String.self) == nil)
    #expect(try view.require(Catalog.self) == Catalog())
    #expect(throws: ResolutionError.self) { try view.require(String.self) }
  }

  @Test("Something that resolves finds the root, or the container that it says")
  func resolving() {
    struct Screen: Resolving {}
    struct Special: Resolving { let resolver: Resolver }
    #expect(Special(resolver: resolver).resolver === resolver)
    inSandbox {
      #expect(Screen().resolver === Resolver.root)
      Resolver.root = resolver
      #expect(Screen().resolver === resolver)
    }
  }

  @Test("Static functions register in main and ask the root")
  func statics() throws {
    try inSandbox {
      Resolver.register { Catalog() }
      Resolver.register(name: "args") { _, args in Catalog(items: args()) }
      Resolver.register(name: "resolver") { r in r.resolve(Catalog.self) }
      Resolver.register(LivePayments.init).implements((any Payments).self)
      #expect(Resolver.main.resolve(Catalog.self) == Catalog())
      #expect(Resolver.resolve(Catalog.self, name: "args", args: 8).items == 8)
      #expect(Resolver.optional(Catalog.self, name: "resolver") == Catalog())
      let payments = try Resolver.require((any Payments).self)
      #expect(payments is LivePayments)
      let missing: String? = Resolver.resolve()
      #expect(missing == nil)
      Resolver.main.remove(Catalog.self)
      #expect(Resolver.optional(Catalog.self) == nil)
      let other = Resolver { $0.register { Catalog(items: 5) } }
      Resolver.root = other
      Resolver.register { Catalog(items: 6) }
      #expect(Resolver.resolve(Catalog.self).items == 5)
      #expect(Resolver.main.resolve(Catalog.self).items == 6)
    }
  }

  @Test("Container is another name for Resolver, and its shared instance is the root")
  func containerAlias() {
    inSandbox {
      #expect(Container.self == Resolver.self)
      #expect(Container.shared === Resolver.root)
      Container.shared = resolver
      #expect(Resolver.root === resolver)
    }
  }
}
