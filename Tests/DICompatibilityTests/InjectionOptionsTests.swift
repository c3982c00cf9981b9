import DICompatibility
import DIContainer
import Testing

private protocol Mailer: AnyObject {}
private final class SMTPMailer: Mailer {}
private final class Clock {}
private final class Desk {
  var mailer: (any Mailer)?
  var clock: Clock!
  private(set) var calls = 0
  func equip(mailer: any Mailer, clock: Clock) {
    (self.mailer, self.clock) = (mailer, clock)
    calls += 1
  }
}
private final class Counter {
  var clock = Clock()
}
private enum Night {}

@Suite struct InjectionOptionsTests {
  @Test func `A property is set to what the container has for its type`() {
    let shop = Resolver()
    shop.register(SMTPMailer.init).as((any Mailer).self)
    shop.register(Clock.init).lifetime(.perContainer(.strong))
    shop.register(Desk.init).injection(\.mailer).injection(\.clock)
    let desk: Desk = shop.resolve()
    #expect(desk.mailer is SMTPMailer)
    #expect(desk.clock === shop.resolve(Clock.self))
  }

  @Test func `A closure gets the instance and whatever else it takes`() {
    let shop = Resolver()
    shop.register(SMTPMailer.init).as((any Mailer).self)
    shop.register(Clock.init)
    shop.register(Desk.init).injection { $0.equip(mailer: $1, clock: $2) }.lifetime(.prototype)
    #expect(shop.resolve(Desk.self).calls == 1)
    shop.register(Desk.init).injection { $0.mailer = $1 }
    #expect(shop.resolve(Desk.self).mailer is SMTPMailer)
  }

  @Test func `postInit gets the instance when what stands before it is set`() {
    let shop = Resolver()
    shop.register(Clock.init)
    var equipped: [Bool] = []
    let builder: ServiceEntry<Desk> = shop.register(Desk.init)
    builder.injection(\.clock).postInit { equipped.append($0.clock != nil) }
    _ = shop.resolve(Desk.self)
    #expect(equipped == [true])
  }

  @Test func `An optional property is nil where nothing is registered, and another is missed`() {
    let shop = Resolver()
    shop.register(Desk.init).injection(\.mailer).injection { $0.clock = $1 }
    #expect(shop.resolve(Desk.self).mailer == nil)

    shop.register(Counter.init).injection(\.clock)
    let set = #line - 1
    let error = #expect(throws: ResolutionError.self) { try shop.require(Counter.self) }
    #expect(
      error?.description == """
        Nothing is registered for `Clock`.

          chain:      Counter → Clock
          from:       DICompatibilityTests/InjectionOptionsTests.swift:\(set + 2)
          requested:  DICompatibilityTests/InjectionOptionsTests.swift:\(set)
          asked:      container made at DICompatibilityTests/InjectionOptionsTests.swift:\(set - 4)

        To fix this:
          - Register it: `register { … as Clock }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.
        """)
  }

  @Test func `A tag's protocol is checked when it is compiled`() {
    let shop = Resolver()
    shop.register(SMTPMailer.init).as(check: (any Mailer).self, tag: Night.self) { $0 }
    let mailer: any Mailer = shop.resolve(tag: Night.self)
    #expect(mailer is SMTPMailer)
    #expect(shop.optional((any Mailer).self) == nil)
  }
}
