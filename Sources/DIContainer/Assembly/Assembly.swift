// Grouped registration, as in Swinject. An assembly registers services that belong together. An
// assembler applies assemblies to one container, all `assemble` first, then all `loaded`, and
// provides a view of the container that only resolves. Properties read from files are registrations
// too (`LoadedProperty`, under the property's name), so nesting, sandboxes and layers apply to them
// as to services. Only the loaders of files use Foundation, for `Bundle`; it is loaded with the
// module, at a cost given in Benchmarks/README.md.

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
/// It is isolated to no actor, even in a module whose default isolation is the main actor. Register
/// services of the main actor with `registerMain`.
public protocol Assembly: SendableMetatype {
  /// Registers the group's services.
  ///
  /// The registrations are base state, whichever sandbox is current: production set-up must not
  /// vanish with the test that happens to run it first. An assembly that a trait or the closure of
  /// a layer or sandbox applies registers doubles instead.
  ///
  /// - Parameter container: The container to register in.
  func assemble(container: Container)

  /// The boundary that the group's services are behind, such as "network"; nil by default.
  ///
  /// See ``ResolverOptions/boundary(_:)``.
  var boundary: String? { get }

  /// Runs after all assemblies that are applied together have assembled.
  ///
  /// The container is complete by then, so services may be resolved and set up.
  /// Like `assemble`, it resolves no doubles of a test, because what it sets up stays; a test of it
  /// calls it directly.
  ///
  /// - Parameter resolver: The container.
  func loaded(resolver: Resolver)
}

extension Assembly {
  /// No boundary, because most services are behind none.
  public var boundary: String? { nil }

  /// Does nothing, because most assemblies only register.
  public func loaded(resolver: Resolver) {}
}

extension Resolver {
  /// Runs the set-up of a group of registrations, given by a type, unless it ran before.
  ///
  /// It runs again after the container was emptied, and each time that it registers doubles.
  package func setUpOnce(_ group: Any.Type, _ load: (Container) -> Void) {
    let group = ObjectIdentifier(group)
    let mark = ServiceKey(GroupMark.self, name: Name("\(UInt(bitPattern: group))"))
    if !groupsAreDoubles, core.visible(ContextFrame.current).contains(where: { $0.key == mark }) {
      return
    }
    settingUp {
      // First, so that two groups that set each other up do not recurse endlessly.
      let target = RegistrationTarget.current(for: core)
      var options = target.options()
      options.wasResolved = nil
      target.store(
        Registration(
          key: mark, scope: .unique, location: CodeLocation(), maker: .nothing, options: options))
      RegisteringContext.with({ $0.assembly = group }) { load(self) }
    }
  }

  /// Whether groups register doubles: in a layer, and in a test's closure.
  var groupsAreDoubles: Bool {
    core.holdsDoubles || RegisteringContext.current.assembliesAreDoubles
  }

  /// Runs production set-up, or a registration of doubles.
  func settingUp(_ body: () -> Void) {
    if groupsAreDoubles { return body() }
    guard let sandbox = sandboxOfReset else { return ContextFrame.settingUp(body) }
    RegisteringContext.with({ $0.isProduction = true }) {
      if sandbox === ContextFrame.writableSandbox { return body() }
      ContextFrame.$bound.withValue(sandbox) { body() }
    }
  }

  /// The innermost sandbox in which this container was emptied: only in its view is what is set up
  /// visible there.
  var sandboxOfReset: ContextFrame? {
    ContextFrame.writableSandbox?.sandboxes.first { $0.view(of: core)?.isMasked ?? false }
  }
}
