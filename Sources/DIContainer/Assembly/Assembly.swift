// Grouped registration, as in Swinject. An assembly registers what belongs together; an assembler
// applies assemblies to one container, all `assemble` first, then all `loaded`, and gives out a
// view of the container that can only resolve. Properties read from files are registrations too
// (`LoadedProperty`, under the property's name), so that nesting, sandboxes and layers hold for
// them as for services. Only the loaders of files use Foundation, for `Bundle`; it is loaded with
// the module, and Benchmarks/README.md says what that costs.

/// A group of registrations that belong together.
///
/// ```swift
/// struct PaymentAssembly: Assembly {
///   func assemble(container: Container) {
///     container.register { CardGateway() as any PaymentGateway }
///   }
/// }
/// ```
///
/// It belongs to no actor, also in a module whose default isolation is the main actor: services of
/// the main actor are registered with `registerMain`.
public protocol Assembly: SendableMetatype {
  /// Registers the group's services.
  ///
  /// What it registers is base state, whatever sandbox is current: production set-up must not
  /// vanish with the test that happens to run it first. An assembly that a trait or the closure
  /// of a layer or sandbox applies registers doubles instead.
  func assemble(container: Container)

  /// Called when all assemblies that are applied together have assembled.
  ///
  /// The container is complete by then, so that services may be resolved and set up.
  func loaded(resolver: Resolver)
}

extension Assembly {
  /// Does nothing: most assemblies only register.
  public func loaded(resolver: Resolver) {}
}

extension Resolver {
  /// Has assemblies register in this container: all assemble, in order, then all are loaded.
  ///
  /// Nothing makes it base state: in a sandbox, a layer or a trait they register doubles.
  func apply(_ assemblies: [any Assembly]) {
    for assembly in assemblies {
      RegisteringContext.with({ $0.assembly = ObjectIdentifier(type(of: assembly)) }) {
        assembly.assemble(container: self)
      }
    }
    for assembly in assemblies { assembly.loaded(resolver: self) }
  }
}
