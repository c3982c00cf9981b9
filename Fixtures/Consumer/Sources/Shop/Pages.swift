public import DIContainer

// The nouns of other libraries' pages, which the migration guides keep.

public final class A {
  public init() {}
}

public protocol FooServiceProtocol {}

public final class FooService: FooServiceProtocol {
  public init() {}
}

public protocol FooManagerProtocol {}

public final class FooManager: FooManagerProtocol {
  public let service: any FooServiceProtocol
  public init(service: any FooServiceProtocol) { self.service = service }
}

public struct ServiceAssembly: Assembly {
  public init() {}
  public func assemble(container: Container) {
    container.register((any FooServiceProtocol).self) { FooService() }
  }
}
