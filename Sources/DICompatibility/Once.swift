public import DIContainer

extension FactoryModifying {
  /// Returns the factory, whose modifiers apply once in any case.
  @available(
    *, deprecated,
    message: "Not needed: what is set elsewhere takes precedence over the declaration anyway."
  )
  public func once() -> Self { self }
}
