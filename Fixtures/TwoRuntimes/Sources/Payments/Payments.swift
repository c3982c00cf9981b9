public import DIContainer

public final class Gateway {}

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    register { Gateway() }
  }
}

/// Asks for what this module registers, in a container that has it if that was called.
public func askPayments(_ resolver: Resolver = .main) -> String? {
  do throws(ResolutionError) {
    _ = try resolver.require(Gateway.self)
    return nil
  } catch {
    return "\(error)"
  }
}

/// Registers the same in the form that any number of modules can use.
public func registerPayments() {
  Resolver.registerAtStart { Resolver.register { Gateway() } }
}
