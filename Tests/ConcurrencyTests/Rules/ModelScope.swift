// What the process, its containers and the scopes around a test hold, in the model.

/// An instance, as the rules expect it: the how manyth that was built, by which plan, for whom.
final class Expected {
  let number: Int, plan: Int, container: Int, argument: Int?, needs: [Expected?]
  let lifetime: Lifetime
  /// The number of what its property is set to.
  var bow: Int?

  init(
    number: Int, plan: Int, container: Int, argument: Int?, needs: [Expected?], lifetime: Lifetime
  ) {
    (self.number, self.plan, self.container, self.argument) = (number, plan, container, argument)
    (self.needs, self.lifetime) = (needs, lifetime)
  }

  func find(_ number: Int) -> Expected? {
    if self.number == number { return self }
    return needs.lazy.compactMap { $0?.find(number) }.first
  }
}

/// A plan in its place, and what wraps it there.
struct Decorated {
  let plan: Plan
  let spies: [Int]
}

/// What is said of a service in one place: in a container, or in a sandbox's view of it.
struct Spot {
  var entry: Entry?
  /// Taken away: in a sandbox's view, or in a layer, that hides what lies below it.
  var isMask = false
  /// Set back to what its property declares: hides what lies below in its own container.
  var isTakenBack = false
  /// What names of other services took the place of, and names that others did.
  var beside: [Entry] = []
  /// What its own plan took the place of, with what wraps that, where names tell the two apart
  /// (RULES 36).
  var apart: [Decorated] = []
  /// What wraps it, the last one around all others.
  var spies: [Int] = []

  var isEmpty: Bool { entry == nil && spies.isEmpty }
  var hidesWhatLiesBelow: Bool { entry != nil || isMask || isTakenBack }
}

/// What a scope, or the process, keeps.
struct ModelKeeper {
  enum Place: Hashable {
    case registration(Int)
    /// Of a registration, for the container that was asked.
    case container(Int, Int)
    /// Of all registrations that one line makes.
    case site(Int)
    /// What a fallback made.
    case fallback(Service)
    /// Of a property, for the larder that was asked or for a parameter if there is one for each.
    case shelf(Holder, asked: Int?, Int?)

    func isSite(besides sites: Set<Int>) -> Bool {
      if case .site(let site) = self { !sites.contains(site) } else { false }
    }
    func isOf(_ holder: Holder) -> Bool {
      if case .shelf(let own, _, _) = self { own == holder } else { false }
    }
    /// Whether it is kept for a container that was asked, whoever owns the registration.
    func isAsked(of container: Int) -> Bool {
      switch self {
      case .container(_, let asked): asked == container
      case .shelf(_, let asked, _): asked == container
      case .registration, .site, .fallback: false
      }
    }
  }
  /// What a property's instance is kept for.
  enum Holder: Hashable {
    case registration(Int), declaration(LarderPlace), stall(Int)
  }
  private(set) var kept: [Place: Expected] = [:]

  /// An instance that nobody holds is forgotten where the lifetime is a weak one.
  func instance(at place: Place, isHeld: (Expected) -> Bool) -> Expected? {
    kept[place].flatMap { !$0.lifetime.isWeak || isHeld($0) ? $0 : nil }
  }
  mutating func keep(_ instance: Expected, at place: Place) { kept[place] = instance }
  mutating func forget(_ isGone: (Place, Lifetime) -> Bool) {
    kept = kept.filter { !isGone($0.key, $0.value.lifetime) }
  }
  var strong: [Expected] { kept.values.filter { !$0.lifetime.isWeak } }
}

/// What a scope asks for beside its doubles.
struct Policy {
  /// Whether live services are reported; nil: as outside.
  var isStrict: Bool?
  /// Live services that may be: of a type, and of a container.
  var exceptedType: Service?
  var exceptedContainer: Int?
  /// What gets a double that is made by the plan of this number where it has none.
  var fallback: (id: Int, services: Set<Service>, container: Int?)?
}

/// A sandbox, a scoped root or a layer: each brings caches of its own (RULES 10).
final class OpenScope {
  enum Kind { case sandbox, root, layer, pushedLayer, policy }
  /// What a sandbox holds over a container.
  struct View {
    var spots: [Service: Spot] = [:]
    var isReset = false
    var children: [Int]?
  }
  let number: Int
  let kind: Kind
  /// The container that a scoped root installs, or that holds a layer's doubles.
  let installed: Int?
  /// The scopes around it, and itself.
  private(set) var chain: [OpenScope] = []
  var root: Int?
  var views: [Int: View] = [:]
  var keeper = ModelKeeper()
  /// Of a scope that brings nothing else.
  var policy: Policy?
  /// A sandbox's own.
  var defaultLifetime: Lifetime?
  var shelves: [LarderPlace: ShelfSpot] = [:]
  var arguments: [String: String]?
  /// Popped inside a scope that was opened on top of it, where it stays in force.
  var isPopped = false
  /// The properties that a layer wraps in whatever larder.
  var decorated: Set<Shelf> = []
  /// What a layer has for a property of whatever larder.
  var doubles: [Shelf: Closure] = [:]

  init(_ kind: Kind, _ number: Int, installed: Int? = nil, in scopes: [OpenScope]) {
    (self.kind, self.number, self.installed) = (kind, number, installed)
    root = kind == .root ? installed : nil
    chain = scopes + [self]
  }
  /// Lets go of its chain, which it is part of.
  func close() { chain = [] }

  var isLayer: Bool { kind == .layer || kind == .pushedLayer }
}
