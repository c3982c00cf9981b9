import DIContainer

final class Service {}

Resolver.register { Service() }
print(Resolver.resolve(Service.self) === nil)
