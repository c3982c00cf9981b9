import DICompatibility
import DIContainer
import DITesting
import Testing

private protocol Catalog: AnyObject {}
private final class StoreCatalog: Catalog {}
private final class Desk {}
private final class Clerk {}

private struct DeskAssembly: Assembly {
  func assemble(container: Container) {
    container.register(Desk.self) { _ in Desk() }
  }
}

extension [RegistrationInfo] {
  /// Whether instances are kept in these scopes, in the order of the registrations.
  fileprivate func areKept(_ scopes: Scope...) -> Bool {
    map { ObjectIdentifier($0.scope) } == scopes.map { ObjectIdentifier($0) }
  }
}

@Suite struct SwinjectContainerTests {
  // MARK: hasAnyRegistration

  @Test func `hasAnyRegistration knows the type and the name, also of containers looked into`() {
    let shop = Container { $0.register(Desk.self, name: "night") { _ in Desk() } }
    let branch = Container(parent: shop) { branch in
      branch.register(Clerk.self) { _ in
        Issue.record("Nothing is made to find out.")
        return Clerk()
      }
    }
    #expect(branch.hasAnyRegistration(of: Clerk.self))
    #expect(branch.hasAnyRegistration(of: Desk.self, name: "night"))
    #expect(!branch.hasAnyRegistration(of: Desk.self, name: "day"))
    #expect(!branch.hasAnyRegistration(of: Desk.self))
    #expect(!shop.hasAnyRegistration(of: Clerk.self))
    #expect(!shop.hasAnyRegistration(of: (any Catalog).self))
  }

  @Test func `hasAnyRegistration knows aliases, and sees what a sandbox sees`() {
    let shop = Container()
    withSandbox(unusedDoubles: .off) {
      shop.register(StoreCatalog.self) { _ in StoreCatalog() }.implements((any Catalog).self)
      #expect(shop.hasAnyRegistration(of: (any Catalog).self))
      shop.remove((any Catalog).self)
      #expect(!shop.hasAnyRegistration(of: (any Catalog).self))
    }
    #expect(!shop.hasAnyRegistration(of: StoreCatalog.self))
  }

  // MARK: The default scope

  @Test func `A container may have a default scope, which a registration can do without`() {
    let shop = Container(defaultObjectScope: .container)
    shop.register(Desk.self) { _ in Desk() }
    shop.register(Clerk.self) { _ in Clerk() }.inObjectScope(.transient)
    #expect(shop.resolve(Desk.self) === shop.resolve(Desk.self))
    #expect(shop.resolve(Clerk.self) !== shop.resolve(Clerk.self))
    #expect(shop.registrations.areKept(.perContainer(.strong), .unique))
  }

  @Test func `A container below it has its own, and the process's is for the others`() {
    let shop = Container(defaultObjectScope: .weak) { $0.register(Desk.self) { _ in Desk() } }
    let branch = Container(parent: shop, defaultObjectScope: .transient)
    branch.register(Clerk.self) { _ in Clerk() }
    let stall = Container(parent: branch)
    withSandbox(unusedDoubles: .off) {
      Resolver.defaultScope = .cached
      stall.register(StoreCatalog.self) { _ in StoreCatalog() }
      branch.register(StoreCatalog.self) { _ in StoreCatalog() }
      #expect(stall.registrations.areKept(.cached, .unique, .shared))
      #expect(branch.registrations.areKept(.unique, .unique, .shared))
    }
  }

  @Test func `An assembler's container may have one, too`() {
    let assembler = Assembler([DeskAssembly()], defaultObjectScope: .container)
    let below = Assembler(parentAssembler: assembler, defaultObjectScope: .weak)
    below.apply(assembly: DeskAssembly())
    let resolver = assembler.resolver
    #expect(resolver.resolve(Desk.self) === resolver.resolve(Desk.self))
    #expect(assembler.registrations.areKept(.perContainer(.strong)))
    #expect(below.registrations.areKept(.shared))
  }

  // MARK: resetObjectScope

  @Test func `resetObjectScope forgets what a container and those it looks into keep in a scope`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    shop.register(Clerk.self) { _ in Clerk() }.inObjectScope(.weak)
    let branch = Container(parent: shop)
    branch.register(StoreCatalog.self) { _ in StoreCatalog() }.inObjectScope(.container)
    let (desk, clerk) = (branch.resolve(Desk.self), branch.resolve(Clerk.self))
    let catalog = branch.resolve(StoreCatalog.self)

    branch.resetObjectScope(.container)
    #expect(branch.resolve(Desk.self) !== desk)
    #expect(branch.resolve(StoreCatalog.self) !== catalog)
    #expect(branch.resolve(Clerk.self) === clerk)
    branch.resetObjectScope(.weak)
    #expect(branch.resolve(Clerk.self) !== clerk)
  }

  @Test func `resetObjectScope leaves what containers above keep`() {
    let shop = Container()
    let branch = Container(parent: shop)
    branch.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    let desk = branch.resolve(Desk.self)
    shop.resetObjectScope(.container)
    #expect(branch.resolve(Desk.self) === desk)
  }

  @Test func `resetObjectScope takes a scope of one's own, for one container`() {
    let night = ObjectScope(Scope.cache("night"))
    let (shop, other) = (Container(), Container())
    for container in [shop, other] {
      container.register(Desk.self) { _ in Desk() }.inObjectScope(night)
    }
    let (desk, otherDesk) = (shop.resolve(Desk.self), other.resolve(Desk.self))
    shop.resetObjectScope(night)
    #expect(shop.resolve(Desk.self) !== desk)
    #expect(other.resolve(Desk.self) === otherDesk)
  }

  @Test func `resetObjectScope forgets one type only, under all its names, in parents too`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    shop.register(Clerk.self) { _ in Clerk() }.inObjectScope(.container)
    let branch = Container(parent: shop)
    branch.register(Desk.self, name: "night") { _ in Desk() }.inObjectScope(.container)
    branch.register(Desk.self, name: "weak") { _ in Desk() }.inObjectScope(.weak)
    let (desk, night) = (branch.resolve(Desk.self), branch.resolve(Desk.self, name: "night"))
    let (weak, clerk) = (branch.resolve(Desk.self, name: "weak"), branch.resolve(Clerk.self))

    branch.resetObjectScope(.container, serviceType: Desk.self)
    #expect(branch.resolve(Desk.self) !== desk)
    #expect(branch.resolve(Desk.self, name: "night") !== night)
    #expect(branch.resolve(Desk.self, name: "weak") === weak)
    #expect(branch.resolve(Clerk.self) === clerk)
  }

  @Test func `resetObjectScope forgets one type of what is kept for each container asked`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }.scope(.container)
    shop.register(Clerk.self) { _ in Clerk() }.scope(.container)
    let branch = Container(parent: shop)
    let (desk, clerk) = (branch.resolve(Desk.self), branch.resolve(Clerk.self))
    branch.resetObjectScope(ObjectScope(.container), serviceType: Desk.self)
    #expect(branch.resolve(Desk.self) !== desk)
    #expect(branch.resolve(Clerk.self) === clerk)
  }

  @Test func `resetObjectScope in a sandbox leaves what is kept outside`() {
    let shop = Container()
    shop.register(Desk.self) { _ in Desk() }.inObjectScope(.container)
    let desk = shop.resolve(Desk.self)
    withSandbox {
      let own = shop.resolve(Desk.self)
      shop.resetObjectScope(.container)
      #expect(shop.resolve(Desk.self) !== own)
    }
    #expect(shop.resolve(Desk.self) === desk)
  }

  // MARK: synchronize

  @Test func `synchronize gives a view that only resolves, of what is registered later, too`() {
    var shop: Container? = Container()
    let view = shop!.synchronize()
    shop!.register(Desk.self) { _ in Desk() }
    shop = nil
    #expect(!(view is Container))
    #expect(view.optional(Desk.self) != nil)
    #expect(view.optional(Clerk.self) == nil)
  }
}
