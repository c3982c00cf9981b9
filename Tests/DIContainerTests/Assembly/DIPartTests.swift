import DICompatibility
@testable import DIContainer
import Testing

private final class Clock {}
private protocol Mailer: AnyObject {}
private final class SMTPMailer: Mailer {}
private final class Counter: Sendable {
  let loads = Lock(0)
}

private enum ClockPart: DIPart {
  @TaskLocal static var counter = Counter()
  static func load(container: Container) {
    counter.loads.withLock { $0 += 1 }
    container.register(Clock.init).lifetime(.perContainer(.strong))
  }
}
private enum MailPart: DIPart {
  static func load(container: Container) {
    container.append(part: ClockPart.self)
    container.register(SMTPMailer.init).as((any Mailer).self)
  }
}
private enum ShopFramework: DIFramework {
  static func load(container: Container) {
    container.append(part: MailPart.self)
    container.append(part: ClockPart.self)
    container.import(BranchFramework.self)
  }
}
private enum BranchFramework: DIFramework {
  static func load(container: Container) {
    container.append(framework: ShopFramework.self)
    container.register(name: "branch") { Clock() }
  }
}

@Suite struct DIPartTests {
  private func counted(_ body: (Counter) -> Void) {
    let counter = Counter()
    ClockPart.$counter.withValue(counter) { body(counter) }
  }

  @Test func `A framework appends parts and frameworks, two that append each other, too`() {
    let shop = Container()
    shop.append(framework: ShopFramework.self)
    #expect(shop.optional((any Mailer).self) is SMTPMailer)
    #expect(shop.optional(Clock.self, name: "branch") != nil)
  }

  @Test func `A container loads a part once, and keeps what it made`() {
    counted { counter in
      let shop = Container()
      shop.append(part: ClockPart.self)
      let clock = shop.resolve(Clock.self)
      shop.append(framework: ShopFramework.self)
      #expect(shop.resolve(Clock.self) === clock)
      #expect(counter.loads.withLock { $0 } == 1)
      Container().append(part: ClockPart.self)
      #expect(counter.loads.withLock { $0 } == 2)
    }
  }

  @Test func `After removeAll a part is loaded again`() {
    let shop = Container()
    shop.append(part: MailPart.self)
    shop.removeAll()
    #expect(shop.optional((any Mailer).self) == nil)
    shop.append(part: MailPart.self)
    #expect(shop.optional((any Mailer).self) is SMTPMailer)
  }

  @Test func `What a part registers is base state, also where a test is the first to append it`() {
    let shop = Container()
    inSandbox { _ = shop.append(part: MailPart.self) }
    #expect(shop.optional((any Mailer).self) is SMTPMailer)
  }

  @Test func `In a layer a part registers doubles, each time that it is appended`() {
    counted { counter in
      let layer = Resolver(core: ContainerCore(location: CodeLocation(), holdsDoubles: true))
      layer.append(part: ClockPart.self)
      layer.append(part: ClockPart.self)
      #expect(counter.loads.withLock { $0 } == 2)
      #expect(layer.registrations.map(\.isDouble) == [true])
    }
  }
}
