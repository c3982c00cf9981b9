/// The groups of a module, as in DITranquillity: a type that appends parts and other frameworks.
public protocol DIFramework: SendableMetatype {
  /// Appends parts and frameworks, and registers services; base state, as with `DIPart`.
  static func load(container: Container)
}

extension Resolver {
  /// Loads a framework into this container, unless it was loaded before; see `append(part:)`.
  @discardableResult
  public func append(framework: any DIFramework.Type) -> Resolver {
    setUpOnce(framework, framework.load)
    return self
  }

  /// Loads a framework into this container; an alias for `append(framework:)`.
  @discardableResult
  public func `import`(_ framework: any DIFramework.Type) -> Resolver {
    append(framework: framework)
  }
}
