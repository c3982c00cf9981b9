public import DIContainer

public final class Warehouse {}

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    register { Warehouse() }
  }
}

/// Asks for what this module registers, in a container that has it if that was called.
public func askStock(_ resolver: Resolver = .main) -> String? {
  do throws(ResolutionError) {
    _ = try resolver.require(Warehouse.self)
    return nil
  } catch {
    return "\(error)"
  }
}

/// Registers the same in the form that any number of modules can use.
public func registerStock() {
  Resolver.registerAtStart { Resolver.register { Warehouse() } }
}
