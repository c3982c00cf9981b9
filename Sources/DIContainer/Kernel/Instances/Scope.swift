// The lifetimes of resolved instances. A scope itself keeps only the list of keepers that hold an
// instance for it, so that `reset()` can reach them; the instances live with their registrations
// (Keeper.swift), or, while a sandbox, a layer or a scoped root is in force, with that
// (ContextFrame+Contents.swift).

/// The lifetime of resolved instances: how long each is kept, and by which keeper.
///
/// `Resolver.defaultScope` applies to registrations that name none. A user-defined scope is a cache
/// that can be reset:
///
/// ```swift
/// extension Scope { static let session = Scope.cache() }
///
/// Resolver.register { Cart() }.scope(.session)
/// Scope.session.reset()
/// ```
public class Scope: @unchecked Sendable, CustomStringConvertible {
  // Sendable: the fields are immutable, and what changes is behind a lock. The only subclass is in
  // this file and adds no mutable state; the class is not open.

  /// The owner of an instance, which has one for each registration.
  enum KeptBy: UInt8 {
    /// None: every request gets a new instance.
    case none
    /// The object graph.
    case objectGraph
    /// The registration, whichever container the request was made to.
    case registration
    /// The container that the request was made to.
    case requestedContainer
    /// The container of the registration, which also builds the instance.
    case registeringContainer
    /// The line of the registration, for all registrations that it makes.
    case site
  }

  let keptBy: KeptBy
  /// Whether instances are kept weakly, as long as they are referenced elsewhere.
  let isWeak: Bool
  /// The scope's name in diagnostics and recordings.
  public let description: String
  // A keeper removes itself in its `deinit`: here nothing is retained while a keeper is built.
  private let keepers = Lock<[UInt64: Weak<Keeper>]>([:])

  init(_ keptBy: KeptBy, isWeak: Bool = false, description: String) {
    (self.keptBy, self.isWeak) = (keptBy, isWeak)
    self.description = description
  }

  func forgetKept() {
    let kept = keepers.withLock { $0.values.compactMap(\.value) }
    // All are emptied before an instance is released: that runs user code, which may request one.
    releaseUnlocked(kept.map { $0.empty(isOfScopeReset: true) })
  }

  func add(_ keeper: Keeper) {
    keepers.withLock { $0[keeper.id] = Weak(value: keeper) }
  }

  /// Removes a keeper that is being deallocated; the keeper calls this.
  func remove(_ keeper: Keeper) {
    keepers.withLock { $0[keeper.id] = nil }
  }
}

extension Scope {
  /// A scope that keeps instances until it is reset; most, also until their container is.
  public final class Cached: Scope, @unchecked Sendable {
    // Sendable: adds an immutable closure that is.

    /// Resets the one container whose `cache` it is, if any.
    let resetContainer: (@Sendable () -> Void)?

    /// Creates a user-defined scope.
    ///
    /// - Parameter name: The name in diagnostics and recordings.
    public init(_ name: String = "custom") {
      resetContainer = nil
      super.init(.registration, description: name)
    }

    /// Creates the scope for `Resolver.cache`: the `.container` scope of one container.
    init(resetContainer: @escaping @Sendable () -> Void) {
      self.resetContainer = resetContainer
      super.init(.requestedContainer, description: "container")
    }
  }

  /// The scope in which instances are kept: `.container` for a container's `cache`.
  package var keeping: Scope { keptBy == .requestedContainer ? .container : self }

  /// Creates a user-defined scope that keeps instances until `reset()` or until their container is
  /// released.
  ///
  /// - Parameter name: The name in diagnostics and recordings.
  /// - Returns: The scope; keep it in a static property.
  public static func cache(_ name: String = "custom") -> Scope.Cached { Cached(name) }

  /// A new instance for every request.
  public static let unique = Scope(.none, description: "unique")
  /// One instance per object graph and registration; class instances only.
  public static let graph = Scope(.objectGraph, description: "graph")
  /// One instance per registration, as long as it is referenced elsewhere; class instances only.
  public static let shared = Scope(.registration, isWeak: true, description: "shared")
  /// One instance per registration, until the scope or the container is reset.
  public static let cached = Cached("cached")
  /// One instance per registration and requested container, as long as that container lives.
  public static let container = Scope(.requestedContainer, description: "container")
  /// One instance per registration, until `reset()` or `Resolver.reset()`.
  public static let application = Cached("application")
  /// One instance per registration, or per container type and property, until `reset()`.
  public static let singleton = Cached("singleton")
  /// Swinject's name for `unique`.
  public static var transient: Scope { .unique }
  /// Swinject's name for `shared`.
  public static var weak: Scope { .shared }
}

// MARK: - Properties of lifetimes

extension Scope {
  /// Whether registrations keep instances in a keeper.
  package var usesKeepers: Bool { keptBy != .none && keptBy != .objectGraph }
  /// Whether all registrations made by one line share one instance.
  var isPerSite: Bool { keptBy == .site }
  /// Whether instances are kept by a container, and nowhere else.
  var isOfContainers: Bool {
    usesKeepers && !isPerSite && self !== Scope.singleton && self !== Scope.application
  }
  /// Whether the container with the first request builds the instance for all.
  var isBuiltByFirstRequested: Bool { keptBy == .registration || isPerSite }
  /// Whether it is a user-defined scope, or a container's `cache`.
  var isCustom: Bool {
    self is Cached && self !== Scope.cached && self !== Scope.application
      && self !== Scope.singleton
  }
  /// Whether instances are expected to live as long as the process or their container.
  var isLongLived: Bool {
    usesKeepers && keptBy != .requestedContainer && !isWeak && !isCustom
  }
}

/// A scope, in Resolver's vocabulary.
public typealias ResolverScope = Scope

/// A user-defined scope, in Resolver's vocabulary: `static let session = ResolverScopeCache()`.
public typealias ResolverScopeCache = Scope.Cached

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
  public static let single = Scope(.site, description: "single")

  private static let perRunStrong = Scope(.site, description: "perRun(.strong)")
  private static let perRunWeak = Scope(.site, isWeak: true, description: "perRun(.weak)")
  private static let perContainerStrong = Scope(
    .registeringContainer, description: "perContainer(.strong)")
  private static let perContainerWeak = Scope(
    .registeringContainer, isWeak: true, description: "perContainer(.weak)")

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
}

// MARK: - What declarations name

/// The scope that a declaration names.
///
/// Unlike a reference to the scope, it is copied without counting.
@frozen @usableFromInline
enum DeclaredScope: UInt8, CaseIterable {
  case unnamed, cached, graph, shared, singleton, unique
  /// A user-defined scope, which the declaration's settings hold.
  case custom

  init(_ scope: Scope?) {
    self = Self.allCases.first { $0.scope(custom: nil) === scope } ?? .custom
  }

  func scope(custom: Scope?) -> Scope? {
    switch self {
    case .unnamed: nil
    case .cached: .cached
    case .graph: .graph
    case .shared: .shared
    case .singleton: .singleton
    case .unique: .unique
    case .custom: custom
    }
  }
}
