// The rules of who answers, who builds and who keeps, said as plainly as they can be: searches that
// start from the beginning each time, no caches of what was found, no threads. Nothing here knows
// how containers work. RandomLife.swift compares the two.

/// What can be asked for; a service needs only those before it.
enum Service: Int, CaseIterable, Sendable { case tea, namedTea, pot, cup, tray }

enum Lifetime: CaseIterable, Sendable {
  case unique, graph, shared, cached, application, custom, container, perContainer
  case perContainerWeak

  var isWeak: Bool { self == .shared || self == .perContainerWeak }
}

/// A registration: what its factory asks for, and whom it asks.
struct Plan: Sendable {
  enum Asked: Sendable { case givenContainer, root, captured(Int) }
  let id: Int
  let service: Service
  let lifetime: Lifetime
  let needs: [(service: Service, from: Asked)]
}

/// An instance, as the rules expect it: the how manyth that was built, by which plan, for whom.
final class Expected {
  let number: Int, plan: Int, container: Int, needs: [Expected?]

  init(number: Int, plan: Int, container: Int, needs: [Expected?]) {
    (self.number, self.plan, self.container, self.needs) = (number, plan, container, needs)
  }

  func find(_ number: Int) -> Expected? {
    if self.number == number { return self }
    return needs.lazy.compactMap { $0?.find(number) }.first
  }
}

/// What a scope, or the process, keeps.
struct Keeper {
  struct Place: Hashable {
    let plan: Int
    var container: Int?
  }
  private(set) var kept: [Place: (lifetime: Lifetime, instance: Expected)] = [:]

  /// An instance that nobody holds is forgotten where the lifetime is a weak one.
  func instance(at place: Place, isHeld: (Expected) -> Bool) -> Expected? {
    kept[place].flatMap { !$0.lifetime.isWeak || isHeld($0.instance) ? $0.instance : nil }
  }
  mutating func keep(_ instance: Expected, at place: Place, _ lifetime: Lifetime) {
    kept[place] = (lifetime, instance)
  }
  mutating func forget(_ isGone: (Place, Lifetime) -> Bool) {
    kept = kept.filter { !isGone($0.key, $0.value.lifetime) }
  }
  var strong: [Expected] { kept.values.filter { !$0.lifetime.isWeak }.map(\.instance) }
}

/// A sandbox, a scoped root or a layer: each brings caches of its own (RULES 10).
final class OpenScope {
  enum Kind { case sandbox, root, layer, pushedLayer }
  /// What a sandbox holds over a container.
  struct View {
    /// nil inside: taken away.
    var plans: [Service: Plan?] = [:]
    var isReset = false
    var children: [Int]?
  }
  let kind: Kind
  /// The container that a scoped root installs, or that holds a layer's doubles.
  let installed: Int?
  var root: Int?
  var views: [Int: View] = [:]
  var keeper = Keeper()

  init(_ kind: Kind, installed: Int? = nil) {
    (self.kind, self.installed) = (kind, installed)
    root = kind == .root ? installed : nil
  }

  var isLayer: Bool { kind == .layer || kind == .pushedLayer }
}

struct RulesModel {
  static let main = 0

  private(set) var plans: [[Service: Plan]] = []
  private(set) var children: [[Int]] = []
  /// The scopes of the context that asks, and all that are open, also while it is another's turn.
  var scopes: [OpenScope] = []
  private(set) var open: [OpenScope] = []
  /// What the test holds.
  var held: [Expected] = []
  private var keeper = Keeper()
  private var built = 0
  private var cycle: [Int: Expected]?
  private var inHand: [Expected] = []

  mutating func addContainer() -> Int {
    plans.append([:])
    children.append([])
    return plans.count - 1
  }
  mutating func enter(_ scope: OpenScope) {
    scopes.append(scope)
    open.append(scope)
  }
  mutating func leave() {
    scopes.removeLast()
    open.removeLast()
  }

  // MARK: Who answers

  var root: Int { scopes.reversed().lazy.compactMap(\.root).first ?? Self.main }
  var sandbox: OpenScope? { scopes.last { $0.kind == .sandbox } }

  func children(of container: Int) -> [Int] {
    let views = scopes.reversed().lazy.compactMap { $0.views[container]?.children }
    return views.first ?? children[container]
  }

  /// The containers that a search goes through, in order.
  func reached(from container: Int) -> [Int] {
    var all: [Int] = []
    func visit(_ next: Int) {
      if all.contains(next) { return }
      all.append(next)
      children(of: next).forEach(visit)
    }
    visit(container)
    return all
  }

  /// What a container holds itself, seen through the sandboxes, and which scope put it there.
  ///
  /// -1 stands for production. What a scoped root installs, it puts there (RULES 3).
  private func own(_ container: Int, _ service: Service) -> (plan: Plan?, by: Int)? {
    let installer = scopes.lastIndex { $0.kind == .root && $0.installed == container } ?? -1
    for (index, scope) in scopes.enumerated().reversed() {
      guard let view = scope.views[container] else { continue }
      if let plan = view.plans[service] { return (plan, max(index, installer)) }
      if view.isReset { return nil }
    }
    return plans[container][service].map { ($0, installer) }
  }

  /// Own registrations first, then the children's, depth first; a layer stands before all that the
  /// root reaches, except what was put there further inside (RULES 5).
  private func answer(_ asked: Int, _ service: Service) -> (plan: Plan, owner: Int)? {
    let isLayer = scopes.contains { $0.isLayer && $0.installed == asked }
    var found: (plan: Plan, owner: Int, by: Int)?
    for container in reached(from: isLayer ? root : asked) where found == nil {
      guard let own = own(container, service), let plan = own.plan else { continue }
      found = (plan, container, own.by)
    }
    if isLayer || reached(from: root).contains(asked) {
      for (index, scope) in scopes.enumerated().reversed() where index > found?.by ?? -1 {
        guard scope.isLayer, let (plan, _) = own(scope.installed!, service) else { continue }
        return plan.map { ($0, scope.installed!) }
      }
    }
    return found.map { ($0.plan, $0.owner) }
  }

  // MARK: Who builds and who keeps (RULES 11)

  mutating func ask(_ asked: Int, _ service: Service) -> Expected? {
    let isOutermost = cycle == nil
    if isOutermost { cycle = [:] }
    defer { if isOutermost { cycle = nil } }
    guard let (plan, owner) = answer(asked, service) else { return nil }
    switch plan.lifetime {
    case .unique: return build(plan, for: asked)
    case .graph:
      if let shared = cycle?[plan.id] { return shared }
      let made = build(plan, for: asked)
      cycle?[plan.id] = made
      return made
    case .shared, .cached, .application, .custom: return kept(plan, nil, builder: asked)
    case .container: return kept(plan, asked, builder: asked)
    case .perContainer, .perContainerWeak: return kept(plan, nil, builder: owner)
    }
  }

  private mutating func kept(_ plan: Plan, _ container: Int?, builder: Int) -> Expected {
    let place = Keeper.Place(plan: plan.id, container: container)
    let keeper = scopes.last?.keeper ?? keeper
    if let kept = keeper.instance(at: place, isHeld: isHeld) { return kept }
    let made = build(plan, for: builder)
    changeKeeper { $0.keep(made, at: place, plan.lifetime) }
    return made
  }

  private func isHeld(_ instance: Expected) -> Bool {
    var holders = held + inHand + keeper.strong + open.flatMap(\.keeper.strong)
    holders += cycle.map { Array($0.values) } ?? []
    return holders.contains { $0.find(instance.number) != nil }
  }

  private mutating func build(_ plan: Plan, for container: Int) -> Expected {
    let before = inHand.count
    var needs: [Expected?] = []
    for need in plan.needs {
      let need =
        switch need.from {
        case .givenContainer: ask(container, need.service)
        case .root: ask(root, need.service)
        case .captured(let other): ask(other, need.service)
        }
      needs.append(need)
      if let need { inHand.append(need) }
    }
    inHand.removeLast(inHand.count - before)
    built += 1
    return Expected(number: built, plan: plan.id, container: container, needs: needs)
  }

  private mutating func changeKeeper(_ change: (inout Keeper) -> Void) {
    if let scope = scopes.last { change(&scope.keeper) } else { change(&keeper) }
  }

  // MARK: Changes

  /// A sandbox takes them in; what was kept for what they displace goes (RULES 12, 15).
  mutating func put(_ plan: Plan?, _ service: Service, in container: Int) {
    forgetKept(for: own(container, service)?.plan)
    if let sandbox {
      sandbox.views[container, default: .init()].plans[service] = .some(plan)
    } else {
      plans[container][service] = plan
    }
  }
  private mutating func forgetKept(for plan: Plan?) {
    guard let plan else { return }
    let index = scopes.lastIndex { $0.kind == .sandbox }
    for scope in index.map({ Array(scopes[$0...]) }) ?? open {
      scope.keeper.forget { place, _ in place.plan == plan.id }
    }
    if index == nil { keeper.forget { place, _ in place.plan == plan.id } }
  }
  mutating func add(child: Int, to container: Int) {
    if let sandbox {
      sandbox.views[container, default: .init()].children = children(of: container) + [child]
    } else {
      children[container].append(child)
    }
  }
  mutating func assignRoot(_ container: Int) {
    scopes.last { $0.kind != .pushedLayer }!.root = container
  }
  /// `Scope.reset()`: where scopes are open, the innermost one's instances only.
  mutating func reset(_ lifetime: Lifetime) { changeKeeper { $0.forget { $1 == lifetime } } }

  /// `manager.reset(scope:)`, or with nil `manager.reset()`: what the container keeps.
  mutating func reset(_ lifetime: Lifetime?, in container: Int) {
    let owned = Service.allCases.compactMap { own(container, $0)?.plan?.id }
    changeKeeper {
      $0.forget { place, kept in
        guard lifetime == nil || lifetime == kept, kept != .application else { return false }
        return kept == .container ? place.container == container : owned.contains(place.plan)
      }
    }
  }
  /// `Resolver.reset()` in a sandbox (RULES 16).
  mutating func resetMain() {
    let inside = scopes[scopes.lastIndex { $0.kind == .sandbox }!...]
    for service in Service.allCases { forgetKept(for: own(Self.main, service)?.plan) }
    sandbox?.views[Self.main] = OpenScope.View(isReset: true, children: [])
    for scope in inside {
      if scope.kind != .pushedLayer { scope.root = Self.main }
      scope.keeper.forget { $1 == .application || $1 == .cached || $1 == .shared }
    }
  }
}
