// Type names of other libraries for types that have another name here.

// A file that imports this module can use the containers too.
@_exported public import DIContainer

/// A factory without parameters, in Resolver's vocabulary.
public typealias ResolverFactory<Service> = () throws -> Service?

/// A factory that receives the container, in Resolver's vocabulary.
public typealias ResolverFactoryResolver<Service> = (_ resolver: Resolver) throws -> Service?

/// A factory that receives the container and arguments, in Resolver's vocabulary.
public typealias ResolverFactoryArgumentsN<Service> = (
  _ resolver: Resolver, _ args: Resolver.Args
) throws -> Service?

/// A closure that sets the properties of an instance, in Resolver's vocabulary.
public typealias ResolverFactoryMutator<Service> = (
  _ resolver: Resolver, _ service: Service
) throws -> Void

/// A closure that sets the properties of an instance from arguments, in Resolver's vocabulary.
public typealias ResolverFactoryMutatorArgumentsN<Service> = (
  _ resolver: Resolver, _ service: Service, _ args: Resolver.Args
) throws -> Void

/// The type of `Scope.unique`, in Resolver's vocabulary.
public typealias ResolverScopeUnique = Scope

/// A factory without parameters, in Factory's vocabulary.
public typealias VoidFactoryType<T> = () -> T

/// A factory with parameters, in Factory's vocabulary.
public typealias ParameterFactoryType<P, T> = (P) -> T

/// The type that `register` returns, in DITranquillity's vocabulary.
public typealias DIComponentBuilder<Service> = ResolverOptions<Service>

/// The type that `register` returns, in Swinject's vocabulary.
public typealias ServiceEntry<Service> = ResolverOptions<Service>
