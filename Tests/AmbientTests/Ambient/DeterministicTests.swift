import DIAmbient
import DIContainer
import DITesting
import Foundation
import Testing

/// What an order is made of: its date, number and lucky draw.
private struct Receipt: Equatable {
  @Injected(\.now) private var now
  @Injected(\.uuid) private var uuid
  @Injected(\.randomNumberGenerator) private var generator

  mutating func draw() -> [Int] { (0..<3).map { _ in Int.random(in: 0..<100, using: &generator) } }

  func text() -> String { "\(now().timeIntervalSinceReferenceDate) \(uuid().uuidString.suffix(2))" }

  static func == (left: Self, right: Self) -> Bool { left.text() == right.text() }
}

@Suite("Ambient values of a deterministic test", .sandbox, .strict, .deterministic)
struct DeterministicTests {
  @Test("are the same in every order and every run", arguments: 0..<200)
  func same(_ number: Int) async {
    var receipt = Receipt()
    #expect([receipt.text(), receipt.text()] == ["0.0 00", "0.0 01"])
    await Task.yield()
    #expect(receipt.draw() == [59, 32, 63])
    TestClock.current.advance(by: .seconds(number))
    #expect(receipt.text() == "\(Double(number)) 02")
  }

  @Test("depend on the test's name where they are random")
  func names() {
    var receipt = Receipt()
    #expect(receipt.draw() != [59, 32, 63])
  }

  @Test("are fixed where they are settings")
  func settings() {
    let container = Container.shared
    #expect(container.timeZone() == .gmt)
    #expect(container.locale().identifier == "en_US_POSIX")
    #expect(container.environment() == [:])
    #expect(container.calendar().identifier == .gregorian)
    #expect(container.calendar().timeZone == .gmt)
    #expect(container.clock() as? TestClock === TestClock.current)
  }

  @Test("are found by type, with and without `@Sendable`")
  func byType() {
    #expect(Resolver.resolve((() -> Date).self)() == Date(timeIntervalSinceReferenceDate: 0))
    let now = Resolver.resolve((@Sendable () -> Date).self)
    #expect(now() == Date(timeIntervalSinceReferenceDate: 0))
    let first = Resolver.resolve((() -> UUID).self)()
    #expect(first.uuidString == "00000000-0000-0000-0000-000000000000")
    let second = Resolver.resolve((@Sendable () -> UUID).self)()
    #expect(second.uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(Resolver.resolve(TimeZone.self) == .gmt)
    var generator = Resolver.resolve((any RandomNumberGenerator).self)
    _ = Bool.random(using: &generator)
  }

  @Test("give way to what the test says")
  func otherwise() {
    TestClock.current.date = Date(timeIntervalSince1970: 0)
    #expect(Container.shared.now()() == Date(timeIntervalSince1970: 0))
    Container.shared.locale.register { Locale(identifier: "de_DE") }
    #expect(Container.shared.locale().identifier == "de_DE")
    Container.shared.environment.register { ["HOME": "/"] }
    #expect(Container.shared.environment() == ["HOME": "/"])
  }

  @Test("follow the clock of the test", .time(.immediate))
  func clock() async throws {
    try await Container.shared.clock().sleep(for: .seconds(60))
    #expect(Container.shared.now()() == Date(timeIntervalSinceReferenceDate: 60))
  }

  @Test("are no property of another name", .strict(.off))
  func otherNames() {
    #expect(Container.shared.zoneOfShop() == TimeZone(identifier: "Asia/Tokyo"))
  }
}

extension Container {
  fileprivate var zoneOfShop: Factory<TimeZone> { self { TimeZone(identifier: "Asia/Tokyo")! } }
}

@Suite("Ambient values in production", .sandbox)
struct AmbientProductionTests {
  @Test("are those of the system, by key path")
  func byKeyPath() {
    let container = Container.shared
    #expect(abs(container.now()().timeIntervalSinceNow) < 60)
    #expect(container.uuid()() != container.uuid()())
    #expect(container.clock() is ContinuousClock)
    #expect(container.environment() == ProcessInfo.processInfo.environment)
    #expect(container.calendar() == .autoupdatingCurrent)
    #expect(container.timeZone() == .autoupdatingCurrent)
    #expect(container.locale() == .autoupdatingCurrent)
  }

  @Test("are registered by type in one line, and follow doubles of the properties")
  func byType() {
    Resolver.production { Resolver.main.registerAmbientValues() }
    #expect(Resolver.resolve((any Clock<Duration>).self) is ContinuousClock)
    #expect(Resolver.resolve([String: String].self) == ProcessInfo.processInfo.environment)
    var generator = Resolver.resolve((any RandomNumberGenerator & Sendable).self)
    _ = Int.random(in: 1...6, using: &generator)
    Container.shared.now.register { { Date(timeIntervalSince1970: 7) } }
    #expect(Resolver.resolve((() -> Date).self)() == Date(timeIntervalSince1970: 7))
    Container.shared.timeZone.register { .gmt }
    #expect(Resolver.resolve(TimeZone.self) == .gmt)
  }

  @Test(
    "are live in a strict test",
    .compactMapIssues { "\($0)".contains("`now: @Sendable () -> Date`") ? nil : $0 }, .strict)
  func strict() { _ = Container.shared.now() }
}

@Suite("A strict test without deterministic values", .sandbox, .strict)
struct NondeterministicTests {
  @Test("is told of the trait where it gets a live one")
  func advice() {
    withKnownIssue {
      _ = Container.shared.uuid()
    } matching: {
      $0.comments.first?.rawValue.hasSuffix(
        """
        To fix this:
          - Register a double: `Container.shared.uuid.register { … }` in the sandbox, or \
        `mock.double(\\Container.uuid) { … }` in a layer.
          - Or get the same value in every run: add the `.deterministic` trait to the test or its \
        suite.
          - If it may be live here, allow it: `.strict(except: (@Sendable () -> UUID).self)`.
        """) ?? false
    }
  }
}
