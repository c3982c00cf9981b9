public import DIContainer

extension FactoryModifying {
  /// Returns the factory, whose modifiers apply once in any case.
  @available(
    *, deprecated,
    message: "Not needed: modifiers stand in the declaration; a context that is set elsewhere wins."
  )
  public func once() -> Self { self }
}
