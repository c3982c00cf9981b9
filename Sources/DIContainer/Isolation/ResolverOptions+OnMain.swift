extension ResolverOptions {
  /// Sets properties of each new instance, on the main actor: for what `registerMain` registers.
  ///
  /// The same as `resolveProperties(_:)`, but that the closure belongs to the main actor, wherever
  /// it is written. Where the factory runs on another thread, asking is an error.
  ///
  /// ```swift
  /// @MainActor final class FrontModel { var window: ShopWindow? }
  ///
  /// resolver.registerMain { FrontModel() }
  ///   .resolvePropertiesOnMain { r, model in model.window = r.resolve() }
  /// ```
  ///
  /// - Parameter block: Gets the container that was asked, and the instance.
  /// - Returns: The registration, for further calls.
  @discardableResult
  public consuming func resolvePropertiesOnMain(
    _ block: @escaping @MainActor (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    // Being isolated is no part of how a function is called, and it is looked where that is.
    let plain = unsafeBitCast(block, to: ((Resolver, Service) throws -> Void).self)
    return resolveProperties { resolver, service in
      if !MainActor.shared.isCurrent { throw ResolutionError.setsPropertiesOnMain() }
      try plain(resolver, service)
    }
  }
}
