// DITranquillity's lifetimes are ordinary scopes: `.scope(.perRun(.weak))` and
// `.lifetime(.perRun(.weak))` are equivalent.

extension Scope {
  /// The strength of the references by which instances are kept.
  public enum Retention: Sendable, Hashable {
    /// Instances are kept strongly.
    case strong
    /// Class instances are kept weakly, as long as they are referenced elsewhere.
    case weak
  }

  /// One instance per registration site, until `reset()` or until the site's last container is
  /// released.
  ///
  /// A site is a place in the source code with the type that is registered there: one line run for
  /// two containers registers one component, two lines register two. The only difference to
  /// `perRun(.strong)` is that each is reset separately.
  public static let single = Scope(kind: .site, description: "single")

  private static let perRunStrong = Scope(kind: .site, description: "perRun(.strong)")
  private static let perRunWeak = Scope(kind: .siteWeak, description: "perRun(.weak)")
  private static let perContainerStrong = Scope(kind: .owner, description: "perContainer(.strong)")
  private static let perContainerWeak = Scope(kind: .ownerWeak, description: "perContainer(.weak)")

  /// Returns the scope with one instance per registration site in the whole process; see `single`.
  ///
  /// - Parameter retention: Whether instances are kept strongly or weakly.
  /// - Returns: The scope.
  public static func perRun(_ retention: Retention) -> Scope {
    retention == .strong ? perRunStrong : perRunWeak
  }

  /// Returns the scope with one instance per registration, built by the container that owns it.
  ///
  /// The owner resolves the dependencies from its own view: a parent's service never gets a child's
  /// dependencies, whichever container receives the first request. This is also Swinject's
  /// container scope.
  ///
  /// - Parameter retention: Whether instances are kept strongly or weakly.
  /// - Returns: The scope.
  public static func perContainer(_ retention: Retention) -> Scope {
    retention == .strong ? perContainerStrong : perContainerWeak
  }

  /// DITranquillity's name for `unique`.
  public static var prototype: Scope { .unique }
  /// DITranquillity's name for `graph`.
  public static var objectGraph: Scope { .graph }
  /// Returns the given scope, for DITranquillity's spelling `.custom(…)`.
  ///
  /// - Parameter scope: The scope.
  /// - Returns: The scope.
  public static func custom(_ scope: Scope) -> Scope { scope }
}

extension ResolverOptions {
  /// Sets the scope of the registration, like `scope(_:)`.
  ///
  /// - Parameter lifetime: The scope.
  /// - Returns: The options, for chaining.
  @discardableResult
  public func lifetime(_ lifetime: Scope) -> ResolverOptions<Service> {
    scope(lifetime)
  }
}
