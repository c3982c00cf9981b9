/// The groups of a module, as in DITranquillity: a type that appends parts and other frameworks.
public protocol DIFramework: SendableMetatype {
  /// Appends parts and frameworks, and registers services; base state, as with `DIPart`.
  static func load(container: Container)
}

extension Resolver {
  /// Loads a framework into this container, unless it was loaded before; see `append(part:)`.
  public func append(framework: any DIFramework.Type) {
    append(framework, load: framework.load)
  }

  /// Loads a framework into this container; an alias for `append(framework:)`.
  public func `import`(_ framework: any DIFramework.Type) {
    append(framework: framework)
  }
}
