import TestSupport
import Testing

@testable import DIContainer

// The short way by which a sandbox builds what it keeps (FirstKept.swift): it has to do what
// the long way does when a factory fails, answers nothing, asks for itself or is told to forget.

private final class Till: Sendable {}

private struct Closed: Error {}

@Suite("What a sandbox is to keep")
struct FirstKeptTests {
  private static let scopes: [Scope] = [.cached, .shared, .application, .perRun(.strong)]

  @Test("is built once, whatever was kept outside, and gone with the sandbox", arguments: scopes)
  func once(scope: Scope) {
    let shop = Resolver()
    let built = Counter()
    shop.register { () -> Till in
      built.increment()
      return Till()
    }.scope(scope)
    let outside = shop.resolve(Till.self)
    inSandbox {
      let till = shop.resolve(Till.self)
      #expect(till !== outside)
      #expect(shop.resolve(Till.self) === till)
    }
    #expect(shop.resolve(Till.self) === outside)
    #expect(built.value == 2)
  }

  @Test("is built anew after its factory has thrown", arguments: scopes)
  func throwing(scope: Scope) throws {
    let shop = Resolver()
    let attempts = Counter()
    shop.register { () throws -> Till in
      attempts.increment()
      if attempts.value == 1 { throw Closed() }
      return Till()
    }.scope(scope)
    try inSandbox {
      let error = #expect(throws: ResolutionError.self) { try shop.require(Till.self) }
      #expect(error?.underlying is Closed)
      #expect(error?.description.contains("FirstKeptTests.swift") ?? false)
      let till = try shop.require(Till.self)
      #expect(try shop.require(Till.self) === till)
    }
    #expect(attempts.value == 2)
  }

  @Test("is asked for again after its factory answered nil", arguments: scopes)
  func answeringNil(scope: Scope) {
    let shop = Resolver()
    let attempts = Counter()
    shop.register { () -> Till? in
      attempts.increment()
      return attempts.value == 1 ? nil : Till()
    }.scope(scope)
    inSandbox {
      #expect(shop.optional(Till.self) == nil)
      #expect(shop.optional(Till.self) != nil)
    }
    #expect(attempts.value == 2)
  }

  @Test("is a cycle if it asks for itself, and can be asked for afterwards", arguments: scopes)
  func cycle(scope: Scope) {
    let shop = Resolver()
    shop.register { r in try r.require(Till.self) }.scope(scope)
    inSandbox {
      let error = #expect(throws: ResolutionError.self) { try shop.require(Till.self) }
      #expect(error?.reason == .cycle)
      shop.register { Till() }.scope(scope)
      #expect(shop.optional(Till.self) != nil)
    }
  }

  @Test("is not kept if a factory resets its scope meanwhile")
  func forgotten() {
    let scope = Scope.cache()
    let shop = Resolver()
    shop.register { () -> Till in
      scope.reset()
      return Till()
    }.scope(scope)
    inSandbox {
      #expect(shop.resolve(Till.self) !== shop.resolve(Till.self))
    }
  }

  @Test("counts as asked for if it is a double")
  func used() {
    let shop = Resolver()
    inSandbox {
      let double = shop.register { Till() }.scope(.cached)
      #expect(!double.registration.isUsed)
      _ = shop.resolve(Till.self)
      #expect(double.registration.isUsed)
    }
  }
}
