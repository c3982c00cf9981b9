/// A wrapper that resolves its service when it is used.
///
/// A container returns one on request, whether its service is registered or not: for the parameter
/// of an initialiser, or for the wrapper's type. The wrapper uses the same container, with the name
/// and the arguments of the request for the wrapper.
protocol LazyDependency: RequestWrapper, AsksLater {
  static var service: Any.Type { get }
  init(name: Resolver.Name?, container: Resolver, args: Any?, location: CodeLocation)
}

extension LazyDependency {
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) -> Bool {
    // A declared property is resolved by its declaration only.
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
