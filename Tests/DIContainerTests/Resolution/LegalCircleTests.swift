import DICompatibility
import DIContainer
import Testing

private final class Retrier {
  var session: Session?
}
private final class Backend {
  let retrier: Retrier
  init(retrier: Retrier) { self.retrier = retrier }
}
private final class Session {
  let backend: Backend
  init(backend: Backend) { self.backend = backend }
}
private final class Screen {
  let session: Session
  init(session: Session) { self.session = session }
}
// Each test uses them in one task at a time.
extension Session: @unchecked Sendable {}
extension Screen: @unchecked Sendable {}
private final class Crate {
  let retrier: Retrier
  init(retrier: Retrier) { self.retrier = retrier }
}
private struct Broken: Error {}

extension Container {
  fileprivate var crate: ParameterFactory<Int, Crate> {
    self { _ in Crate(retrier: self.resolve()) }.scopeOnParameters.cached
  }
}

@Suite("A circle that a property closes")
struct LegalCircleTests {
  private func shop(_ scope: Scope) -> Resolver {
    let shop = Resolver()
    shop.register(Retrier.init).injection(cycle: true) { $0.session = $1 }.scope(scope)
    shop.register(Backend.init(retrier:)).scope(scope)
    shop.register(Session.init(backend:)).scope(scope)
    shop.register(Screen.init(session:)).scope(scope)
    return shop
  }

  @Test("is resolved from wherever one begins", arguments: ["graph", "cached", "shared"])
  func everyBeginning(scope: String) throws {
    let scopes: [String: Scope] = ["graph": .graph, "cached": .cached, "shared": .shared]
    func shop() -> Resolver { self.shop(scopes[scope]!) }
    let screen = try shop().require(Screen.self)
    #expect(screen.session.backend.retrier.session === screen.session)
    let session = try shop().require(Session.self)
    #expect(session.backend.retrier.session === session)
    let backend = try shop().require(Backend.self)
    #expect(backend.retrier.session?.backend === backend)
    let retrier = try shop().require(Retrier.self)
    #expect(retrier.session?.backend.retrier === retrier)
  }

  @Test("is resolved by requests that can wait, in async factories too")
  func asyncRequests() async throws {
    let shop = shop(.cached)
    shop.registerAsync(Screen.self) { r in
      Screen(session: try await r.requireAsync(Session.self))
    }
    let screen = try await shop.requireAsync(Screen.self)
    #expect(screen.session.backend.retrier.session === screen.session)
  }

  @Test("makes each service once, and keeps it")
  func once() {
    let shop = Resolver()
    var made: [String] = []
    shop.register { () -> Retrier in
      made.append("retrier")
      return Retrier()
    }.initCompleted { r, retrier in
      made.append("set")
      retrier.session = r.resolve(Session.self)
    }.scope(.cached)
    shop.register { r -> Backend in
      made.append("backend")
      return Backend(retrier: r.resolve())
    }.scope(.cached)
    shop.register { r -> Session in
      made.append("session")
      return Session(backend: r.resolve())
    }.scope(.cached)
    shop.register { r in Screen(session: r.resolve()) }
    let screen: Screen = shop.resolve()
    #expect(screen.session.backend.retrier.session === screen.session)
    #expect(shop.resolve(Session.self) === screen.session)
    #expect(shop.resolve(Retrier.self) === screen.session.backend.retrier)
    #expect(made == ["session", "backend", "retrier", "set"])
  }

  @Test("makes one instance for a parameter, and keeps it")
  func byParameter() {
    let shop = Resolver()
    shop.register(Retrier.init).injection(cycle: true) { $0.session = $1 }
    var crates: [Crate] = []
    shop.register { r -> Session in
      crates = [r.crate(7), r.crate(7), r.crate(8)]
      return Session(backend: Backend(retrier: crates[0].retrier))
    }
    let session: Session = shop.resolve()
    #expect(crates[0] === crates[1])
    #expect(crates[0] !== crates[2])
    #expect(crates[0].retrier.session === session)
    #expect(shop.crate(7) === crates[0])
  }

  @Test("sets what stands after its property afterwards")
  func order() {
    let shop = shop(.graph)
    var seen: [Bool] = []
    shop.register(Retrier.init).injection(cycle: true, \.session)
      .postInit { seen.append($0.session != nil) }
    _ = shop.resolve(Screen.self)
    #expect(seen == [true])
  }

  @Test("is resolved in a sandbox's short ways and by key path")
  func keyPath() throws {
    let screen = Container.shared.circleScreen()
    #expect(screen.session.backend.retrier.session === screen.session)
  }

  @Test("fails as a whole where the property cannot be set, and can be tried again")
  func failure() throws {
    let shop = shop(.cached)
    var isBroken = true
    shop.register(Retrier.init).initCompleted { r, retrier in
      if isBroken { throw Broken() }
      retrier.session = try r.require()
    }.scope(.cached)
    #expect(throws: ResolutionError.self) { try shop.require(Screen.self) }
    isBroken = false
    let screen = try shop.require(Screen.self)
    #expect(screen.session.backend.retrier.session === screen.session)
  }

  @Test("leaves nothing behind where another factory fails")
  func otherFailure() throws {
    let shop = shop(.cached)
    var isBroken = true
    shop.register { r -> Session in
      let backend = try r.require(Backend.self)
      if isBroken { throw Broken() }
      return Session(backend: backend)
    }.scope(.cached)
    #expect(throws: ResolutionError.self) { try shop.require(Session.self) }
    isBroken = false
    let session = try shop.require(Session.self)
    #expect(session.backend.retrier.session?.backend.retrier === session.backend.retrier)
  }

  @Test("of services that are made anew each time is an error")
  func unique() {
    let error = #expect(throws: ResolutionError.self) { try shop(.unique).require(Screen.self) }
    #expect(error?.description.contains("needs itself") == true)
  }

  @Test("of initialisers alone is the error that it was")
  func initialisers() {
    let shop = Resolver()
    shop.register { r in Retrier.made(with: try r.require()) }
    shop.register(Backend.init(retrier:))
    shop.register(Session.init(backend:))
    let error = #expect(throws: ResolutionError.self) { try shop.require(Session.self) }
    #expect(error?.description.contains("`Session` needs itself") == true)
  }

  // They leave alone what another thread sets when it has made all.
  @Test("is resolved by many threads at once, each service once")
  func threads() async {
    for _ in 0..<200 {
      let shop = shop(.cached)
      let found = await withTaskGroup(of: Set<ObjectIdentifier>.self) { group in
        for index in 0..<8 {
          group.addTask {
            let session: Session
            switch index % 4 {
            case 0: session = shop.resolve(Screen.self).session
            case 1: session = shop.resolve()
            case 2:
              _ = shop.resolve(Backend.self)
              session = shop.resolve()
            default:
              _ = shop.resolve(Retrier.self)
              session = shop.resolve()
            }
            let retrier = session.backend.retrier
            return [ObjectIdentifier(session), ObjectIdentifier(retrier)]
          }
        }
        return await group.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1) }
      }
      #expect(found.count == 2)
      let session = shop.resolve(Session.self)
      #expect(session.backend.retrier.session === session)
    }
  }

  @Test("is closed in a list of all services of a type")
  func many() {
    let shop = shop(.graph)
    shop.register(name: "first") { r in Screen(session: r.resolve()) }
    shop.register(name: "second") { r in Screen(session: r.resolve()) }
    let screens = shop.resolveMany(Screen.self)
    #expect(screens.count == 3)
    #expect(Set(screens.map { ObjectIdentifier($0.session) }).count == 1)
    #expect(screens.allSatisfy { $0.session.backend.retrier.session === $0.session })
  }
}

extension Retrier {
  fileprivate static func made(with session: Session) -> Retrier {
    let retrier = Retrier()
    retrier.session = session
    return retrier
  }
}

extension Container {
  fileprivate var circleScreen: Factory<Screen> {
    self {
      let shop = Resolver()
      shop.register(Retrier.init).injection(cycle: true) { $0.session = $1 }
      shop.register(Backend.init(retrier:))
      shop.register(Session.init(backend:))
      return Screen(session: shop.resolve())
    }
  }
}
