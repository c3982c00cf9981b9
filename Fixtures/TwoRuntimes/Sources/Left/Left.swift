import DIContainer

final class Left {}

/// Registers and resolves in this library's copy of DIContainer, and says how much it holds.
@_cdecl("use_left")
public func use() -> Int {
  Resolver.register { Left() }
  _ = Resolver.resolve(Left.self)
  return Resolver.main.registrations.count
}
