/// A property wrapper that asks for its service when it is first used.
///
/// Whoever asks a container for one gets it, whether its service is registered or not: as the
/// parameter of an initialiser, or in a request for the wrapper's type. It asks the same container,
/// with the name and the arguments that the wrapper was asked for with.
protocol LazyDependency: RequestWrapper, AsksLater {
  static var service: Any.Type { get }
  init(name: Resolver.Name?, container: Resolver, args: Any?, location: CodeLocation)
}

extension LazyDependency {
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) -> Bool {
    // What a property declares is what it says, or nothing.
    guard request.property == nil else { return false }
    out.initializeMemory(
      as: Self.self,
      to: Self(
        name: request.name, container: asked, args: args?.pointee, location: request.location))
    return true
  }
}

extension LazyInjected: LazyDependency {
  static var service: Any.Type { Service.self }

  init(name: Resolver.Name?, container: Resolver, args: Any?, location: CodeLocation) {
    self.init(LazySource(name: name, container: container, args: args, location: location))
  }
}

extension WeakLazyInjected: LazyDependency {
  static var service: Any.Type { Service.self }

  init(name: Resolver.Name?, container: Resolver, args: Any?, location: CodeLocation) {
    self.init(LazySource(name: name, container: container, args: args, location: location))
  }
}
