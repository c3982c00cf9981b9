import DICompatibility
import DIContainer
import Testing

private final class Retrier {
  var session: Session?
  var bellhop: Bellhop?
}
private final class Session {
  let retrier: Retrier
  init(retrier: Retrier) { self.retrier = retrier }
}
private final class Screen {
  let session: Session
  init(session: Session) { self.session = session }
}
// Each test uses them in one task at a time.
extension Session: @unchecked Sendable {}
extension Screen: @unchecked Sendable {}
/// Holds a service of the circle, and is needed by a property only.
private final class Ledger {
  let retrier: Retrier
  init(retrier: Retrier) { self.retrier = retrier }
}
private final class Bellhop {
  var session: Session?
}
private final class Last {
  weak var session: Session?
}
private struct Broken: Error {}

/// Properties that are set once the outermost service is made: what else is made and kept then.
@Suite("A circle whose property cannot be set")
struct CircleFailureTests {
  /// `complete` sets the retrier's properties.
  private func shop(
    _ scope: Scope = .cached, complete: @escaping (Resolver, Retrier) throws -> Void
  ) -> Resolver {
    let shop = Resolver()
    shop.register(Retrier.init).initCompleted(complete).scope(scope)
    shop.register(Session.init(retrier:)).scope(scope)
    shop.register(Screen.init(session:)).scope(scope)
    shop.register(Ledger.init(retrier:)).scope(scope)
    return shop
  }

  @Test("keeps nothing that its property had made", arguments: [false, true])
  func madeMeanwhile(isOutermost: Bool) throws {
    var isBroken = true
    let shop = shop { r, retrier in
      retrier.session = try r.require()
      _ = try r.require(Ledger.self)
      if isBroken { throw Broken() }
    }
    // Nothing else of the circle is kept.
    shop.register(Session.init(retrier:)).scope(.graph)
    shop.register(Screen.init(session:)).scope(.graph)
    #expect(throws: ResolutionError.self) {
      if isOutermost { _ = try shop.require(Retrier.self) }
      _ = try shop.require(Screen.self)
    }
    isBroken = false
    let session = try shop.require(Screen.self).session
    #expect(session.retrier.session === session)
    #expect(try shop.require(Ledger.self).retrier === session.retrier)
    #expect(try shop.require(Retrier.self) === session.retrier)
  }

  @Test("keeps nothing that has the circle's instance, whichever property fails")
  func anotherProperty() throws {
    var isBroken = true
    let shop = shop { r, retrier in
      retrier.session = try r.require()
      retrier.bellhop = try r.require()
    }
    shop.register(Bellhop.init).initCompleted { r, bellhop in
      if isBroken { throw Broken() }
      bellhop.session = try r.require()
    }.scope(.cached)
    #expect(throws: ResolutionError.self) { try shop.require(Screen.self) }
    isBroken = false
    let session = try shop.require(Screen.self).session
    #expect(session.retrier.bellhop?.session === session)
    #expect(try shop.require(Bellhop.self) === session.retrier.bellhop)
  }

  @Test("makes each service once where a property has others made, and keeps them")
  func madeOnce() throws {
    var made = 0
    let shop = shop { r, retrier in
      retrier.session = try r.require()
      retrier.bellhop = try r.require()
      _ = try r.require(Ledger.self)
    }
    shop.register { () -> Bellhop in
      made += 1
      return Bellhop()
    }.initCompleted { r, bellhop in
      bellhop.session = try r.require()
      #expect(try r.require(Ledger.self).retrier === bellhop.session?.retrier)
    }.scope(.cached)
    let session = try shop.require(Screen.self).session
    let bellhop = try shop.require(Bellhop.self)
    #expect(session.retrier.bellhop === bellhop)
    #expect(bellhop.session === session)
    #expect(made == 1)
    #expect(try shop.require(Ledger.self).retrier === session.retrier)
  }

  @Test(
    "is closed where the outermost factory returns nil", arguments: ["unique", "graph", "cached"])
  func outermostReturnsNil(scope: String) throws {
    let scopes: [String: Scope] = ["unique": .unique, "graph": .graph, "cached": .cached]
    let shop = shop { r, retrier in retrier.session = try r.require() }
    var held: Session?
    shop.register { r -> Screen? in
      held = r.resolve(Session.self)
      return nil
    }.scope(scopes[scope]!)
    #expect(shop.optional(Screen.self) == nil)
    let session = try #require(held)
    #expect(session.retrier.session === session)
    #expect(try shop.require(Session.self) === session)
    #expect(try shop.require(Retrier.self) === session.retrier)
  }

  @Test("is an error where the outermost factory returns nil, and can be tried again")
  func outermostReturnsNilAndFails() throws {
    var isBroken = true
    let shop = shop { r, retrier in
      if isBroken { throw Broken() }
      retrier.session = try r.require()
    }
    shop.register { r -> Screen? in
      _ = r.resolve(Session.self)
      return nil
    }.scope(.cached)
    #expect(throws: ResolutionError.self) { try shop.require(Screen.self) }
    isBroken = false
    let session = try shop.require(Session.self)
    #expect(session.retrier.session === session)
  }

  @Test("leaves no instance behind where an async factory asked", arguments: ["unique", "graph"])
  func asyncFactory(scope: String) async throws {
    let shop = shop(.graph) { r, retrier in
      retrier.session = try r.require()
      retrier.session = nil
      throw Broken()
    }
    let last = Last()
    shop.register { r -> Session in
      let session = Session(retrier: try r.require())
      last.session = session
      return session
    }.scope(scope == "unique" ? .unique : .graph)
    shop.registerAsync(Screen.self) { r in
      Screen(session: try await r.requireAsync(Session.self))
    }
    await #expect(throws: ResolutionError.self) {
      _ = try await shop.requireAsync(Screen.self)
    }
    #expect(last.session == nil)
  }
}
