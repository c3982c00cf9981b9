import DIContainer
import TestSupport
import Testing

// Spies as tests write them: classes with state, not Sendable, with no annotation anywhere.

private protocol Mailer: AnyObject {
  func send(_ text: String)
}

private class SpyMailer: Mailer {
  var sent: [String] = []
  func send(_ text: String) { sent.append(text) }
}

@MainActor
private final class MainActorSpy {
  var sent: [String] = []
}

private class Checkout {
  let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }
  func run() { mailer.send("receipt") }
}

/// A test captures a spy in a factory, and goes on using it.
@Suite("Doubles in Swift 6")
struct DoublesTests {
  @Test("A spy is captured in a factory and looked at afterwards")
  func nonisolated() {
    let spy = SpyMailer()
    let resolver = Resolver()
    resolver.register { spy as any Mailer }
    resolver.register(Checkout.init)
    resolver.resolve(Checkout.self).run()
    spy.send("more")
    #expect(spy.sent == ["receipt", "more"])
  }

  @MainActor
  @Test("A spy is captured in a test on the main actor and looked at afterwards")
  func mainActor() {
    let spy = SpyMailer()
    let resolver = Resolver()
    resolver.register { spy as any Mailer }
    resolver.register { r in Checkout(mailer: r.resolve()) }
    resolver.resolve(Checkout.self).run()
    #expect(spy.sent == ["receipt"])
    spy.sent = []
  }

  @Test("A spy is captured in an asynchronous test that suspends")
  func asynchronous() async {
    let spy = SpyMailer()
    let resolver = Resolver()
    resolver.register { spy as any Mailer }.scope(.cached)
    await Task.yield()
    resolver.resolve((any Mailer).self).send("later")
    #expect(spy.sent == ["later"])
  }

  @MainActor
  @Test("An object of the main actor is made in a factory that is written there")
  func isolatedObject() {
    let resolver = Resolver()
    let spy = MainActorSpy()
    resolver.register { spy }
    resolver.resolve(MainActorSpy.self).sent.append("x")
    #expect(spy.sent == ["x"])
  }

  @MainActor
  @Test("A factory that was written on the main actor runs on another thread without a trap")
  func elsewhere() {
    let spy = SpyMailer()
    let resolver = Resolver()
    resolver.register { spy as any Mailer }
    let isSpy = onOwnThread { resolver.resolve((any Mailer).self) is SpyMailer }
    #expect(isSpy)
    #expect(spy.sent.isEmpty)
  }

  @Test("Properties and tear-down capture spies too")
  func properties() {
    let spy = SpyMailer()
    let resolver = Resolver()
    resolver.register { SpyMailer() }
      .resolveProperties { _, mailer in mailer.send(spy.sent.isEmpty ? "first" : "next") }
      .onRelease { mailer in spy.send("released after \(mailer.sent[0])") }
      .scope(.cached)
    _ = resolver.resolve(SpyMailer.self)
    resolver.remove(SpyMailer.self)
    #expect(spy.sent == ["released after first"])
  }
}
