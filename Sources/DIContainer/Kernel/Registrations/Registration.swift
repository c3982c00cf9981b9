// A registration is immutable, except for what is noted of it: that it was resolved, its site's
// keeper, and what aliases tell apart from it. What changes it afterwards
// (`.scope`, `.resolveProperties`, …) makes a new one that replaces the old one in its container,
// so that readers never see a half-changed one and need no lock.

/// The factory of a service, and how long its instances are kept.
package final class Registration {
  package let id: UInt64
  /// The path that a request for it takes; read first.
  let path: Path
  let maker: Maker
  package let key: ServiceKey
  package let scope: Scope
  package let location: CodeLocation
  /// The keeper of its own, or the singleton's; nil for other scopes.
  let ownKeeper: Keeper?
  /// The keeper that the registrations of its site share; nil for other scopes.
  let ofSite: SiteShare?
  /// The keeper of the instance kept outside every context; nil for scopes that keep none here.
  var keeper: Keeper? { ownKeeper ?? ofSite?.keeper }
  /// The instance kept there, if there is one.
  var kept: Instance? {
    // A keeper is weakly referenced, so that to count references to it is slow.
    @inline(__always) get { ownKeeper == nil ? ofSite?.keeper.instance : ownKeeper?.instance }
  }
  package let options: Options
  /// Builds an instance, whose properties are not set yet.
  var build: Maker.Closure { maker.build }
  /// The target, if it is an alias made by `implements`.
  let alias: Alias?
  /// Whether it decorates others.
  let isDecoration: Bool
  /// Whether the registration sets properties of new instances.
  let hasSetters: Bool

  enum Path: UInt8 {
    /// A new instance per request.
    case unique
    /// One instance per object graph.
    case graph
    /// One instance in `keeper`; of one per requested container, that of the registration's owner.
    case kept
    /// One instance in `keeper`, built where its factory runs: for asynchronous requests.
    case awaited
    /// The registration for another key.
    case alias
    /// Any other registration, which the general path handles.
    case other
  }

  /// Creates a registration that is not stored yet.
  ///
  /// - Parameters:
  ///   - id: Its identity; a new one by default.
  ///   - key: The key that it is found by; instances are of the key's type.
  ///   - scope: How long an instance is kept.
  ///   - location: The place of the registering call.
  ///   - maker: The factory of instances of the key's type.
  ///   - keeper: The keeper of an instance; one of its own by default.
  ///   - ofSite: Its site's keeper, if it is another form of a registration that has one.
  ///   - options: Its other properties.
  init(
    id: UInt64 = SerialNumber.next(), key: ServiceKey, scope: Scope, location: CodeLocation,
    maker: Maker, keeper: Keeper? = nil, ofSite: SiteShare? = nil, options: Options
  ) {
    let details = maker.details
    alias = details.alias
    isDecoration = details.decoration != nil
    hasSetters = !details.setters.isEmpty
    path = options.isRemoval ? .other : Self.path(scope, details)
    // What decorates others has a keeper for each of them.
    let usesKeepers = scope.usesKeepers && !isDecoration
    let isOfSite = usesKeepers && scope.isPerSite
    self.ofSite = isOfSite ? ofSite ?? SiteShare(location, key.type, scope) : nil
    ownKeeper = usesKeepers && !scope.isPerSite ? keeper ?? Keeper(scope, key.type) : nil
    self.id = id
    self.key = key
    self.scope = scope
    self.location = location
    self.maker = maker
    self.options = options
  }

  private static func path(_ scope: Scope, _ details: Maker.Details) -> Path {
    if details.alias != nil { return .alias }
    if details.decoration != nil { return .other }
    let path: Path =
      switch scope.keptBy {
      case .none: .unique
      case .objectGraph: .graph
      case .registration, .requestedContainer, .registeringContainer, .site: .kept
      }
    guard details.isolation == .anywhere else { return path == .kept ? .awaited : .other }
    return path != .kept && !details.setters.isEmpty ? .other : path
  }

  /// Returns a marker that hides registrations below it.
  static func removal(
    _ key: ServiceKey, at location: CodeLocation, options: Options = Options()
  ) -> Registration {
    var options = options
    options.isRemoval = true
    return Registration(
      key: key, scope: .unique, location: location, maker: .nothing, options: options)
  }

  /// A marker for its key that hides registrations below it, except for those that start-up code
  /// makes again.
  var resetMarker: Registration {
    var marker = Options()
    marker.isBase = true
    marker.isReset = true
    marker.part = options.part
    return Self.removal(key, at: location, options: marker)
  }

  /// Whether it is a removal marker, which hides registrations below it.
  package var isRemoval: Bool { options.isRemoval }

  /// Whether it registers a service: it is no removal marker, and no other part of a property.
  package var registersService: Bool { !isRemoval && options.isRegistered }

  /// Whether it shares its instance with all registrations that its line makes.
  var isOfSite: Bool { ofSite != nil }

  /// Holds the keeper of its site, and those of the sites of what it wraps at its place.
  func holdSites() {
    if !isOfSite, !isDecoration { return }
    for registration in withWrapped { _ = registration.ofSite?.keeper }
  }

  /// Whether an object graph shares values too, not only class instances.
  var sharesValues: Bool { key.property != nil }

  /// Whether its instances have to be awaited on every actor.
  var isAsync: Bool { maker.isolation == .task }

  /// The key of its target, if it is an alias made by `implements`.
  package var aliasTarget: ServiceKey? { alias?.target }
}

// MARK: - Options

extension Registration {
  /// The properties of a registration besides its maker and scope.
  package struct Options {
    /// Whether it is a double, registered by a sandbox, a layer or a trait.
    package internal(set) var isDouble = false
    /// Whether `registerAllServices` or another production setup registered it.
    package internal(set) var isBase = false
    /// The set-up code that registered it and will again, if that runs more than once.
    package internal(set) var repeatedSetUp: RepeatedSetUp?
    /// Whether it need not be resolved: a suite registered it, or it said so.
    package internal(set) var mayBeUnused = false
    /// Whether a dry run skips the factory.
    var isLeftOutOfDryRuns = false
    /// Whether it is a removal marker.
    fileprivate(set) var isRemoval = false
    /// Whether it is the removal marker of a reset, below which a layer hides nothing.
    var isReset = false
    /// Whether it was resolved; nil if that is not tracked, as for all but doubles.
    ///
    /// All forms of a registration share the flag.
    package internal(set) var wasResolved: Atomic?
    var part = Part.registered
    /// For a property: the scope that its declaration names.
    var declaredScope: DeclaredScope?
    /// The assembly that registered it, if any.
    package internal(set) var assembly: ObjectIdentifier?
    /// The boundary that its service is behind, such as "network", if any.
    package internal(set) var boundary: String?
    /// For a property: whether its factory takes a parameter.
    var takesParameter = false
    private var box: Box?

    /// The options that most registrations do without.
    var rare: Rare {
      get { box?.rare ?? Rare() }
      set { box = Box(newValue) }
    }

    struct Rare {
      /// The place of the live registration that it replaced in its container, if it did.
      var replaced: CodeLocation?
      /// The registrations of the service that it replaced, which aliases tell apart from it.
      var earlier: EarlierRegistrations?
      /// The dependencies of the factory, if known without running it.
      var dependencies: [Dependency]?
      /// The contexts of a property that were set outside its declaration.
      var contexts: [ContextFactory] = []
    }

    private final class Box {
      let rare: Rare
      init(_ rare: Rare) { self.rare = rare }
    }

    /// Whether it was registered, and is no other part of a property.
    package var isRegistered: Bool { part == .registered }
  }

  /// The role of a registration for its key.
  ///
  /// A container has one of each for a property.
  package enum Part: UInt8 {
    /// Made by the user; the only one of a service by type.
    case registered
    /// Stands for a property's declaration; made at the first use, it keeps the instances of the
    /// declared factory.
    ///
    /// That factory is not stored, for it would hold the container: each request brings it along.
    case declaration
    /// Holds the contexts of a property that were set outside its declaration.
    case contexts
  }

  /// Registrations of one service that a later one replaced, and that are told apart by aliases.
  ///
  /// All forms of the later one share it. It is empty until that has an alias too, which is said
  /// after it was stored: up to then only the options that `register` returned hold the earlier
  /// ones, so that a registration which is simply replaced is released.
  final class EarlierRegistrations: Sendable {
    private let held = Lock(Unchecked<[Registration]>([]))

    var all: [Registration] { held.withLock { $0 }.value }

    func hold(_ registrations: [Registration]) {
      for registration in registrations { registration.holdSites() }
      let registrations = Unchecked(registrations)
      releaseUnlocked(held.withLock { exchange(&$0, with: registrations) })
    }
  }

  /// Set-up code that runs again after a reset.
  package enum RepeatedSetUp: UInt8 {
    /// The process's start-up code, which runs after `Resolver.reset()`.
    case startup
    /// The container's `autoRegister`, which runs after every reset of the container.
    case autoRegister
  }
}

extension Registration {
  /// The registrations of its service that it replaced, and that aliases tell apart from it.
  package var earlier: [Registration] { innermost.options.rare.earlier?.all ?? [] }

  /// Whether there may be some; takes no lock.
  package var mayHaveEarlier: Bool { innermost.options.rare.earlier != nil }

  /// Whether it is tracked whether the registration is resolved, as for most doubles.
  package var isTracked: Bool { options.wasResolved != nil }

  /// Whether it, or another form of it, was resolved; false if that is not tracked.
  package var wasResolved: Bool { options.wasResolved?.isSet ?? false }

  /// Notes that a request resolved to it.
  func noteResolved() { options.wasResolved?.set(true) }
}

// MARK: - New instances

extension Registration {
  /// Sets properties of a new instance.
  ///
  /// - Returns: The setters from the first of a cycle on, if these are to be deferred.
  func runSetters(
    of instance: Instance, _ container: Resolver, _ args: Any?, puttingOffCycles: Bool
  ) throws -> ArraySlice<Maker.Setter> {
    let setters = maker.details.setters
    let putOff = puttingOffCycles ? setters.firstIndex(where: \.isOfCycle) : nil
    for setter in setters[..<(putOff ?? setters.count)] {
      try setter.set(container, instance, args)
    }
    return setters[(putOff ?? setters.count)...]
  }
}
