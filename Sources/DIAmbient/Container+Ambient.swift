public import DIContainer
public import Foundation

// The values that code reads from its surroundings, as services: so that a test can swap them.
// `.deterministic`, in DITesting, knows them by name and type.

extension Container {
  /// The clock by which code sleeps and measures; in production a `ContinuousClock`.
  public var clock: Factory<any Clock<Duration>> { self { ContinuousClock() } }

  /// Returns the present date each time it is called; in production that of the system.
  public var now: Factory<@Sendable () -> Date> { self { { Date() } } }

  /// Returns a new identifier each time it is called; in production a random one.
  public var uuid: Factory<@Sendable () -> UUID> { self { { UUID() } } }

  /// The source of randomness: `Int.random(in: 1...6, using: &generator)`; in production the
  /// system's.
  public var randomNumberGenerator: Factory<any RandomNumberGenerator & Sendable> {
    self { SystemRandomNumberGenerator() }
  }

  /// The calendar; in production the user's, which follows changes.
  public var calendar: Factory<Calendar> { self { .autoupdatingCurrent } }

  /// The time zone; in production the system's, which follows changes.
  public var timeZone: Factory<TimeZone> { self { .autoupdatingCurrent } }

  /// The locale; in production the user's, which follows changes.
  public var locale: Factory<Locale> { self { .autoupdatingCurrent } }

  /// The environment variables; in production the process's.
  public var environment: Factory<[String: String]> { self { ProcessInfo.processInfo.environment } }
}

extension Resolver {
  /// Registers the ambient values by type, for code that requests them so.
  ///
  /// Each returns what the property of that name returns: a double of the property is requested by
  /// type, too. Dates and identifiers are registered as `() -> Date` and `() -> UUID`, `@Sendable`
  /// and not.
  public func registerAmbientValues(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    func add<Value>(_ type: Value.Type, _ value: @escaping (Resolver) -> Value) {
      register(
        type, fileID: fileID, filePath: filePath, line: line, column: column,
        factory: { resolver in value(resolver) }
      ).scope(.unique)
    }
    add((any Clock<Duration>).self) { $0.clock() }
    add((@Sendable () -> Date).self) { $0.now() }
    add((() -> Date).self) { $0.now() }
    add((@Sendable () -> UUID).self) { $0.uuid() }
    add((() -> UUID).self) { $0.uuid() }
    add((any RandomNumberGenerator & Sendable).self) { $0.randomNumberGenerator() }
    add((any RandomNumberGenerator).self) { $0.randomNumberGenerator() }
    add(Calendar.self) { $0.calendar() }
    add(TimeZone.self) { $0.timeZone() }
    add(Locale.self) { $0.locale() }
    add([String: String].self) { $0.environment() }
  }
}
