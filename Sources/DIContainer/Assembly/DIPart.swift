// DITranquillity's forms of grouping: types that register what belongs together, each of which a
// container loads once, however many others append it.

/// A group of registrations, as in DITranquillity: a type that registers them.
///
/// ```swift
/// enum PaymentPart: DIPart {
///   static func load(container: Container) {
///     container.register { CardGateway() as any PaymentGateway }
///   }
/// }
///
/// resolver.append(part: PaymentPart.self)
/// ```
///
/// An `Assembly` is a value, and may be set up before it registers. A part belongs to no actor, and
/// a list of parts, as a `static let` of type `[any DIPart.Type]`, is `Sendable`.
public protocol DIPart: SendableMetatype {
  /// Registers the group's services; base state, as with `Assembly.assemble(container:)`.
  static func load(container: Container)
}

/// The groups of a module, as in DITranquillity: a type that appends parts and other frameworks.
public protocol DIFramework: SendableMetatype {
  /// Appends parts and frameworks, and registers services; base state, as with `DIPart`.
  static func load(container: Container)
}

extension Resolver {
  /// Has a part register in this container, unless it did so before.
  ///
  /// What it registers is base state, whatever sandbox is current. Where doubles are registered, in
  /// a layer or in the closure of a trait, it registers doubles, each time. After `removeAll()` and
  /// `Resolver.reset()` outside of sandboxes it is loaded again. Append at start-up: another thread
  /// that appends the part meanwhile does not wait until it is loaded.
  public func append(part: any DIPart.Type) {
    append(part, load: part.load)
  }

  /// Has a framework register in this container, unless it did so before; see `append(part:)`.
  public func append(framework: any DIFramework.Type) {
    append(framework, load: framework.load)
  }

  /// Has a framework register in this container; the same as `append(framework:)`.
  public func `import`(_ framework: any DIFramework.Type) {
    append(framework: framework)
  }

  private func append(_ group: Any.Type, load: (Container) -> Void) {
    let group = ObjectIdentifier(group)
    let registersDoubles = core.holdsDoubles || RegisteringContext.current.assembliesAreDoubles
    // Noted before it is loaded: two that append each other come to an end.
    guard registersDoubles || core.noteLoaded(group) else { return }
    func run() { RegisteringContext.with({ $0.assembly = group }) { load(self) } }
    if registersDoubles { run() } else { ContextFrame.settingUp(run) }
  }
}
