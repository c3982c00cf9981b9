import DICompatibility
import DIContainer
import DITesting
import Testing

private protocol Mailer: AnyObject {}
private final class SMTPMailer: Mailer {}
private final class PaperMailer: Mailer {}
private final class FakeMailer: Mailer {}
private protocol Courier: AnyObject, Sendable {}
private final class Pigeon: Courier {}
private struct NightPost: Sendable {
  let courier: any Courier
}
private enum Night {}
private enum Day {}

private final class Desk {
  let mailers: [any Mailer]
  let night: any Mailer
  var others: [any Mailer] = []
  var day: (any Mailer)?
  init(mailers: [any Mailer], night: any Mailer) {
    (self.mailers, self.night) = (mailers, night)
  }
}

@Suite("What a parameter's type alone cannot say")
struct RequestModifierTests {
  private let shop = Resolver()

  private func registerMailers() {
    shop.register(SMTPMailer.init).as((any Mailer).self)
    shop.register(PaperMailer.init).as((any Mailer).self, tag: Night.self)
  }

  @Test("A factory takes all services of a type, and one of a tag, among its parameters")
  func parameters() {
    registerMailers()
    shop.register { Desk(mailers: many($0), night: by(tag: Night.self, on: $1)) }
    let desk: Desk = shop.resolve()
    #expect(desk.mailers.count == 2)
    #expect(desk.mailers[0] is SMTPMailer)
    #expect(desk.night is PaperMailer)
  }

  @Test("A property is set to them, by a closure and by key path")
  func properties() {
    registerMailers()
    shop.register { Desk(mailers: [], night: PaperMailer()) }
      .injection { $0.others = many($1) }
      .injection(\.day) { by(tag: Day.self, on: $0) }
    let desk: Desk = shop.resolve()
    #expect(desk.others.count == 2)
    #expect(desk.day == nil)
    shop.register(SMTPMailer.init).as((any Mailer).self, tag: Day.self)
    #expect(shop.resolve(Desk.self).day is SMTPMailer)
  }

  @Test("A container is asked for them, which is what they are spelled for")
  func requests() {
    registerMailers()
    let all: [any Mailer] = many(shop.resolve())
    #expect(all.count == 2)
    let ofTag: [any Mailer] = many(by(tag: Night.self, on: shop.resolve()))
    #expect(ofTag.count == 1 && ofTag[0] is PaperMailer)
    let night: any Mailer = by(tag: Night.self, on: shop.resolve())
    #expect(night is PaperMailer)
    let day: (any Mailer)? = by(tag: Day.self, on: shop.resolve())
    #expect(day == nil)
    let later: Lazy<any Mailer> = by(tag: Night.self, on: shop.resolve())
    #expect(later.value is PaperMailer)
  }

  @Test("All of one tag are all that were registered under it, each once")
  func allOfOneTag() {
    shop.register(SMTPMailer.init)
      .as((any Mailer).self, tag: Day.self).as((any Mailer).self, tag: Night.self)
    shop.register(PaperMailer.init).as((any Mailer).self, tag: Night.self)
    let night: [any Mailer] = many(by(tag: Night.self, on: shop.resolve()))
    #expect(night.count == 2)
    let day: [any Mailer] = many(by(tag: Day.self, on: shop.resolve()))
    #expect(day.count == 1 && day[0] is SMTPMailer)
    let every: [any Mailer] = many(shop.resolve())
    #expect(every.count == 2)
  }

  @Test("Doubles are what is found, in the sandbox that has them")
  func doubles() {
    registerMailers()
    shop.register { Desk(mailers: many($0), night: by(tag: Night.self, on: $1)) }
    withSandbox {
      shop.register(FakeMailer.init).as((any Mailer).self, tag: Night.self)
      let desk: Desk = shop.resolve()
      #expect(desk.night is FakeMailer)
      #expect(desk.mailers.count == 2)
    }
    #expect(shop.resolve(Desk.self).night is PaperMailer)
  }

  @Test("An async factory awaits one of a tag, whose own factory may be async")
  func awaited() async throws {
    shop.registerAsync { () async -> Pigeon in Pigeon() }
      .as((any Courier).self, tag: Night.self)
    shop.registerAsync { r in
      NightPost(courier: by(tag: Night.self, on: try await r.requireAsync()))
    }
    #expect(try await shop.requireAsync(NightPost.self).courier is Pigeon)
    let night: any Courier = by(tag: Night.self, on: await shop.resolveAsync())
    #expect(night is Pigeon)
    let day: (any Courier)? = by(tag: Day.self, on: await shop.resolveAsync())
    #expect(day == nil)
    // The line of all that is in the macro.
    let line: UInt = #line + 1
    let error = await #expect(throws: ResolutionError.self) {
      try await shop.requireAsync(Resolver.TaggedService<Day, any Courier>.self)
    }
    #expect(error?.reason == .notRegistered)
    #expect(error?.key == ServiceKey((any Courier).self, name: .init(tag: Day.self)))
    #expect(error?.requestedAt.line == line)
  }

  @Test("A missing service is named, not what stands for it")
  func missing() {
    shop.register { Desk(mailers: many($0), night: by(tag: Night.self, on: $1)) }
    let error = #expect(throws: ResolutionError.self) { try shop.require(Desk.self) }
    #expect(error?.reason == .notRegistered)
    #expect(error?.chain.last == ServiceKey((any Mailer).self, name: .init(tag: Night.self)))
    #expect(shop.resolve() as Resolver.TaggedService<Night, any Mailer>? == nil)
  }

  @Test("A tag around a tag is an error: a registration has one of them")
  func tagAroundTag() {
    registerMailers()
    shop.register {
      (both: Resolver.TaggedService<Day, Resolver.TaggedService<Night, any Mailer>>) in
      Desk(mailers: [], night: by(tag: Night.self, on: by(tag: Day.self, on: both)))
    }
    let asked = #line - 4
    let error = #expect(throws: ResolutionError.self) { try shop.require(Desk.self) }
    #expect(
      error?.reason
        == .other(
          """
          `by(tag:on:)` has another tag or name around it: a registration has one of them.
          """))
    #expect(error?.requestedAt.line == UInt(asked))
  }

  @Test("Lazy wrappers cannot be listed, which is said")
  func lazyWrappers() {
    registerMailers()
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Resolver.AllServices<Lazy<any Mailer>>.self)
    }
    #expect(
      error?.reason
        == .other("Lists contain services, not lazy wrappers, which resolve by type and name."))
  }

  @Test("The graph knows what is asked for in that way")
  func graph() throws {
    shop.register { Desk(mailers: many($0), night: by(tag: Night.self, on: $1)) }
    let desk = shop.registrations.first { $0.key == ServiceKey(Desk.self) }
    #expect(
      desk?.dependencies == [
        Dependency(ServiceKey((any Mailer).self), isOptional: true),
        Dependency(ServiceKey((any Mailer).self, name: .init(tag: Night.self))),
      ])
    #expect(throws: ValidationError.self) { try shop.validate() }
    registerMailers()
    try shop.validate()
  }
}
