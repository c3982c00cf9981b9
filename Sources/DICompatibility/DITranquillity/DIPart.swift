// DITranquillity's forms of grouping: types that register services that belong together. A
// container loads each of them once, however many others append it.

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
/// An `Assembly` is a value, and may be configured before it registers. A part is isolated to no
/// actor, and a list of parts, as a `static let` of type `[any DIPart.Type]`, is `Sendable`.
public protocol DIPart: SendableMetatype {
  /// Registers the group's services; base state, as with `Assembly.assemble(container:)`.
  static func load(container: Container)
}

extension Resolver {
  /// Loads a part into this container, unless it was loaded before.
  ///
  /// Its registrations are base state, whichever sandbox is current. In a layer or in the closure
  /// of a trait, they are doubles, and the part is loaded each time. After `Resolver.reset()`, and
  /// after `removeAll()` outside of sandboxes, it is loaded again: after a reset in a sandbox, for
  /// that sandbox. Append at start-up: another thread that appends the part meanwhile does not wait
  /// until it is loaded.
  ///
  /// - Parameter part: The part to load.
  /// - Returns: The container, for further parts.
  @discardableResult
  public func append(part: any DIPart.Type) -> Resolver {
    setUpOnce(part, part.load)
    return self
  }
}
