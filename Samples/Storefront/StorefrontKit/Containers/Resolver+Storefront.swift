public import DIContainer

extension Resolver {
  /// Wires the storefront into the main container.
  ///
  /// The program calls this from `registerAllServices`. It stands in its own function, in the
  /// library, so that a test can wire the same shop.
  public static func wireStorefront() {
    main.add(child: core)
    main.add(child: payments)
    main.add(child: mail)
    register(Shop.init)
      .scope(.unique)
  }
}
