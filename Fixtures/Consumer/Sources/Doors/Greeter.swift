import DIContainer

/// Finds words of welcome.
public protocol Greeter {
  /// The welcome for a name.
  func greeting(for name: String) -> String
}

/// Welcomes in English.
struct EnglishGreeter: Greeter {
  func greeting(for name: String) -> String { "Hello, \(name)" }
}

/// Welcomes whoever comes.
public final class Door {
  @Injected private var greeter: any Greeter

  /// Creates a door with the greeter that is registered.
  public init() {}

  /// Welcomes somebody.
  public func open(for name: String) -> String { greeter.greeting(for: name) }
}

/// Registers the live services.
public func wireApp() {
  Resolver.register { EnglishGreeter() as any Greeter }
  Resolver.register { Door() }.scope(.cached)
}
