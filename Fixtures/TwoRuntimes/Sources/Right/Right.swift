import DIContainer

final class Right {}

/// Registers and resolves in this library's copy of DIContainer, and says how much it holds.
@_cdecl("use_right")
public func use() -> Int {
  Resolver.register { Right() }
  _ = Resolver.resolve(Right.self)
  return Resolver.main.registrations.count
}
