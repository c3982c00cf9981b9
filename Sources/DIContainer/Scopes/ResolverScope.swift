/// Resolver's name for `Scope`.
public typealias ResolverScope = Scope
/// Resolver's name for a user-defined scope: `static let session = ResolverScopeCache()`.
public typealias ResolverScopeCache = Scope.Cached
/// Resolver's name for the unique scope's type.
public typealias ResolverScopeUnique = Scope
/// Resolver's name for a factory without parameters.
public typealias ResolverFactory<Service> = () throws -> Service?
/// Resolver's name for a factory that receives the container.
public typealias ResolverFactoryResolver<Service> = (_ resolver: Resolver) throws -> Service?
/// Resolver's name for a factory that takes arguments.
public typealias ResolverFactoryArgumentsN<Service> = (_ resolver: Resolver, _ args: Resolver.Args)
  throws -> Service?
/// Resolver's name for a closure that sets properties.
public typealias ResolverFactoryMutator<Service> = (_ resolver: Resolver, _ service: Service) throws
  -> Void
/// Resolver's name for a closure that sets properties with arguments.
public typealias ResolverFactoryMutatorArgumentsN<Service> = (
  _ resolver: Resolver, _ service: Service, _ args: Resolver.Args
) throws -> Void
