// DITranquillity's lifetimes are scopes like the others: `.scope(.perRun(.weak))` and
// `.lifetime(.perRun(.weak))` say the same.

extension Scope {
  /// Whether instances are held, or only remembered while somebody else holds them.
  public enum Retention: Sendable, Hashable {
    /// They are held.
    case strong
    /// Class instances are remembered for as long as somebody else holds them.
    case weak
  }

  /// One instance per registration site, until `reset()` or the site's last container goes.
  ///
  /// A site is a place in the source code with the type that is registered there: the same line run
  /// against two containers registers one component, two lines register two. It differs from
  /// `perRun(.strong)` only in that each is reset on its own.
  public static let single = Scope(kind: .site, description: "single")

  private static let perRunStrong = Scope(kind: .site, description: "perRun(.strong)")
  private static let perRunWeak = Scope(kind: .siteWeak, description: "perRun(.weak)")
  private static let perContainerStrong = Scope(kind: .owner, description: "perContainer(.strong)")
  private static let perContainerWeak = Scope(kind: .ownerWeak, description: "perContainer(.weak)")

  /// One instance per registration site in the whole process; see `single`.
  public static func perRun(_ retention: Retention) -> Scope {
    retention == .strong ? perRunStrong : perRunWeak
  }

  /// One instance per registration, built by the container that owns it, from its own view.
  ///
  /// Whichever container is asked first, a parent's service never gets a child's dependencies.
  /// This is Swinject's container scope too.
  public static func perContainer(_ retention: Retention) -> Scope {
    retention == .strong ? perContainerStrong : perContainerWeak
  }

  /// DITranquillity's name for `unique`.
  public static var prototype: Scope { .unique }
  /// DITranquillity's name for `graph`.
  public static var objectGraph: Scope { .graph }
  /// The scope that is passed, for DITranquillity's spelling `.custom(…)`.
  public static func custom(_ scope: Scope) -> Scope { scope }
}

extension ResolverOptions {
  /// Chooses how long an instance is kept, and by whom; the same as `scope(_:)`.
  @discardableResult
  public func lifetime(_ lifetime: Scope) -> ResolverOptions<Service> {
    scope(lifetime)
  }
}
