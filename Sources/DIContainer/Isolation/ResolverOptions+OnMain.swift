extension ResolverOptions {
  /// Sets properties of each new instance on the main actor, for registrations of `registerMain`.
  ///
  /// It equals `resolveProperties(_:)`, except that the closure is isolated to the main actor,
  /// wherever it is written. Where the factory runs on another thread, a request fails.
  ///
  /// ```swift
  /// @MainActor final class FrontModel { var window: ShopWindow? }
  ///
  /// resolver.registerMain { FrontModel() }
  ///   .resolvePropertiesOnMain { r, model in model.window = r.resolve() }
  /// ```
  ///
  /// - Parameter block: Receives the container that the request was made to, and the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public consuming func resolvePropertiesOnMain(
    _ block: @escaping @MainActor (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    // Isolation is not part of the calling convention, and the actor is checked before the call.
    let plain = unsafeBitCast(block, to: ((Resolver, Service) throws -> Void).self)
    return resolveProperties { resolver, service in
      if !MainActor.shared.isCurrent { throw ResolutionError.setsPropertiesOnMain() }
      try plain(resolver, service)
    }
  }
}
