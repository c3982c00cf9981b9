// The rules of who answers, who builds and who keeps, said as plainly as they can be: searches that
// start from the beginning each time, no caches of what was found, no threads. Nothing here knows
// how containers work. RandomLife.swift compares the two. Here: who answers, builds and keeps;
// RulesModel+Changes.swift has what changes that, ModelScope.swift what scopes hold.

struct RulesModel {
  static let main = 0

  /// What is wrong with it on purpose.
  var fault: Fault?
  private var stale: [[Int]: Answer] = [:]

  var spots: [[Service: Spot]] = []
  var children: [[Int]] = []
  /// The containers that hold nothing but doubles.
  var layers: Set<Int> = []
  /// The sandbox that each was made in.
  var homes: [OpenScope?] = []
  /// The scopes of the context that asks, and all that are open, also while it is another's turn.
  var scopes: [OpenScope] = []
  var open: [OpenScope] = []
  var opened = 0
  /// What the test holds.
  var held: [Expected] = []
  var keeper = ModelKeeper()
  /// What spies made of instances, by spy and instance.
  private var spied: [[Int]: Expected] = [:]
  var built = 0
  private var cycle: [Int: Expected]?
  private var inHand: [Expected] = []
  /// What a circle's property is to be set of, in the order made; see RulesModel+Circles.swift.
  var untied: [(knot: Expected, property: Plan.Need, container: Int)] = []
  var lazies: [LazyPlace] = []

  /// The live services that strict scopes have reported.
  var reported: [String] = []

  // For RulesModel+Larders.swift:
  var declarations: [Shelf: Declaration] = [:]
  var shelves: [LarderPlace: ShelfSpot] = [:]
  var pushed: [Int: [PushedLarder]] = [:]
  /// How long an instance is kept that containers declare as a property.
  var stallLifetime = Lifetime.unique
  /// What time it is, and when a scope was last asked for what it keeps.
  var minute = 0
  var lastAsked: [LastAsked: Int] = [:]

  // MARK: Who answers

  var root: Int {
    let roots = scopes.compactMap(\.root)
    return (fault == .outermostRootWins ? roots.first : roots.last) ?? Self.main
  }
  var sandbox: OpenScope? { scopes.last { $0.kind == .sandbox } }
  /// The scope that keeps instances; nil: the process does.
  var keepingScope: OpenScope? { scopes.last { $0.kind != .policy } }

  func children(of container: Int) -> [Int] {
    let views = scopes.reversed().lazy.compactMap { $0.views[container]?.children }
    return views.first ?? children[container]
  }

  /// The containers that a search goes through, in order.
  func reached(from container: Int, where counts: (Int) -> Bool = { _ in true }) -> [Int] {
    var all: [Int] = []
    func visit(_ next: Int) {
      if all.contains(next) { return }
      all.append(next)
      let children = children(of: next).filter(counts)
      (fault == .childrenAreReversed ? children.reversed() : children).forEach(visit)
    }
    visit(container)
    return all
  }

  /// A spot of a container, seen through the sandboxes, and which scope put it there.
  ///
  /// -1 stands for production. What a scoped root installs, it puts there (RULES 3).
  private struct Seen {
    let spot: Spot, owner: Int, view: Int, by: Int
  }
  private func own(_ container: Int, _ service: Service, in scopes: [OpenScope]) -> [Seen] {
    let installer = scopes.lastIndex { $0.kind == .root && $0.installed == container } ?? -1
    var all: [Seen] = []
    for (index, scope) in scopes.enumerated().reversed() {
      guard let view = scope.views[container] else { continue }
      if let spot = view.spots[service] {
        all.append(Seen(spot: spot, owner: container, view: index, by: max(index, installer)))
        let isMask = spot.isMask && fault == .masksHideNothing
        if spot.hidesWhatLiesBelow, !isMask { return all }
      }
      if view.isReset, fault != .resetsHideNothing { return all }
    }
    if let spot = spots[container][service] {
      all.append(Seen(spot: spot, owner: container, view: -1, by: installer))
    }
    return all
  }
  func ownSpots(_ container: Int, _ service: Service, in scopes: [OpenScope]) -> [Spot] {
    own(container, service, in: scopes).map(\.spot)
  }
  func ownEntry(_ container: Int, _ service: Service, in scopes: [OpenScope]) -> Entry? {
    own(container, service, in: scopes).last?.spot.entry
  }

  /// The plan that answers, and those that names tell apart from it.
  func ownPlans(_ container: Int, _ service: Service, in scopes: [OpenScope]) -> [Plan] {
    guard let spot = own(container, service, in: scopes).last?.spot else { return [] }
    return (spot.entry?.plan.map { [$0] } ?? []) + spot.apart.map(\.plan)
  }

  func isUntouched(_ service: Service, in container: Int) -> Bool {
    own(container, service, in: scopes).allSatisfy { !$0.spot.hidesWhatLiesBelow }
  }

  /// What answers: own registrations first, then the children's, depth first.
  ///
  /// A layer, and what it nests beside the root, stands before all that the root reaches, whoever
  /// asks, except what was put there further inside (RULES 5). What wraps a service wraps what
  /// would be found without it.
  func answer(_ asked: Int, _ service: Service) -> Answer? {
    var layers = scopes.enumerated().filter { $1.isLayer }
    if fault == .outermostLayerWins { layers.reverse() }
    let below = reached(from: root)
    func isLayer(_ container: Int) -> Bool { layers.contains { $1.installed == container } }
    func spots(_ containers: [Int]) -> [Seen] {
      containers.flatMap { own($0, service, in: scopes).filter { !$0.spot.isEmpty } }
    }
    let reached = fault == .childrenAreUnseen ? [asked] : reached(from: asked)
    let all = isLayer(asked) ? below : reached
    let before = all.prefix { !below.contains($0) }
    var found = spots(Array(all[before.count...]))
    var above = before.count < all.count ? layers : []
    var (spies, passed): ([Int], Set<[Int]>) = ([], [])
    var outermost: Seen?
    func pass(_ seen: Seen) -> Answer? {
      let outside = spies
      if outermost == nil { outermost = seen }
      if passed.insert([seen.owner, seen.view]).inserted {
        spies += seen.spot.spies.reversed().dropLast(fault == .innermostDecorationIsLost ? 1 : 0)
      }
      return seen.spot.entry.map {
        Answer(
          $0, seen.owner, spies, apart: seen.spot.apart, outside: outside,
          foundIn: outermost!.owner,
          isDouble: isDouble(outermost!))
      }
    }
    for seen in spots(Array(before)) {
      if let answer = pass(seen) { return answer }
    }
    while true {
      found.removeAll { passed.contains([$0.owner, $0.view]) }
      let rootWins = fault == .rootWinsOverLayers && !found.isEmpty
      if let (index, layer) = above.last, index > found.first?.by ?? -1, !rootWins {
        above.removeLast()
        let container = layer.installed!
        for seen in spots(self.reached(from: container) { !below.contains($0) && !isLayer($0) }) {
          if let answer = pass(seen) { return answer }
        }
        if own(container, service, in: scopes).contains(where: \.spot.isMask) { return nil }
      } else if let next = found.first {
        if let answer = pass(next) { return answer }
      } else {
        return nil
      }
    }
  }
  /// What a sandbox holds, and what is installed as a root or a layer (RULES 3).
  private func isDouble(_ seen: Seen) -> Bool {
    seen.view >= 0 || scopes.contains { $0.installed == seen.owner }
  }
  struct Answer {
    let entry: Entry
    let owner: Int
    /// The outermost first.
    let spies: [Int]
    /// What names tell apart from it.
    let apart: [Decorated]
    /// The spies of other places, which what is told apart has, too.
    let outside: [Int]
    /// Of what answers first, be it only a spy.
    let foundIn: Int
    let isDouble: Bool

    init(
      _ entry: Entry, _ owner: Int, _ spies: [Int], apart: [Decorated] = [],
      outside: [Int] = [], foundIn: Int, isDouble: Bool
    ) {
      (self.entry, self.owner, self.spies, self.apart) = (entry, owner, spies, apart)
      self.outside = outside
      (self.foundIn, self.isDouble) = (foundIn, isDouble)
    }
  }
  /// What another name, which a plan gave, stands for: what answers for its service, but the plan
  /// itself where only another one, of the same place, took its place (RULES 36).
  func answer(_ asked: Int, namedBy plan: Int, _ service: Service) -> Answer? {
    guard let found = answer(asked, service) else { return nil }
    guard fault != .namesForgetWhoGaveThem,
      let own = found.apart.first(where: { $0.plan.id == plan })
    else { return found }
    return Answer(
      .plan(own.plan), found.owner, found.outside + own.spies.reversed(), foundIn: found.foundIn,
      isDouble: found.isDouble)
  }

  // MARK: Who builds and who keeps (RULES 11)

  mutating func ask(_ asked: Int, _ service: Service, _ argument: Int?) -> Expected? {
    let isOutermost = cycle == nil
    if isOutermost { cycle = [:] }
    defer { if isOutermost { cycle = nil } }
    var answer = answer(asked, service).flatMap { standsForNothing($0, asked) ? nil : $0 }
    if fault == .nestedAnswersGoStale, let found = answer, found.owner != asked {
      let key = [asked, service.rawValue, scopes.last?.number ?? 0]
      (answer, stale[key]) = (stale[key] ?? found, stale[key] ?? found)
    }
    if let double = standIn(for: answer, asked, service, argument) { return double }
    let made = answer.flatMap { instance(of: $0, asked, argument) }
    if isOutermost { tieKnots() }
    return made
  }
  private mutating func instance(of answer: Answer, _ asked: Int, _ argument: Int?) -> Expected? {
    var instance: Expected?
    switch answer.entry {
    case .alias(let other, let plan):
      instance = self.answer(asked, namedBy: plan, other)
        .flatMap { self.instance(of: $0, asked, argument) }
    case .plan(let plan): instance = ask(asked, plan, owner: answer.owner, argument)
    }
    for spy in answer.spies.reversed() { instance = instance.map { wrap($0, by: spy) } }
    return instance
  }

  private mutating func ask(_ asked: Int, _ plan: Plan, owner: Int, _ argument: Int?) -> Expected {
    switch plan.lifetime {
    case .unique: return build(plan, for: asked, argument)
    case .graph:
      if let shared = cycle?[plan.id], fault != .cyclesShareNothing { return shared }
      let made = build(plan, for: asked, argument)
      cycle?[plan.id] = made
      return made
    case .shared, .cached, .application, .singleton, .custom:
      let builder = fault == .ownersBuild ? owner : asked
      return kept(plan, .registration(plan.id), builder: builder, argument)
    case .container:
      let keeper = fault == .requestedContainersShare ? owner : asked
      return kept(plan, .container(plan.id, keeper), builder: asked, argument)
    case .perContainer, .perContainerWeak:
      let builder = fault == .requestedContainersBuild ? asked : owner
      return kept(plan, .registration(plan.id), builder: builder, argument)
    case .single, .perRun, .perRunWeak:
      let site = fault == .sitesShareNothing ? plan.id : plan.site
      return kept(plan, .site(site), builder: asked, argument)
    }
  }

  private mutating func kept(
    _ plan: Plan, _ place: ModelKeeper.Place, builder: Int, _ argument: Int?
  ) -> Expected {
    let isHeld = fault == .weakInstancesStay ? { _ in true } : isHeld
    let keeper = keepingScope?.keeper ?? keeper
    if let kept = keeper.instance(at: place, isHeld: isHeld) { return kept }
    if fault == .outerInstancesAreInherited,
      let outer = scopes.dropLast().last?.keeper.instance(at: place, isHeld: isHeld)
    {
      return outer
    }
    let made = build(plan, for: builder, argument)
    changeKeeper { $0.keep(made, at: place) }
    return made
  }

  /// An instance's spy is kept for as long as the instance is.
  private mutating func wrap(_ instance: Expected, by spy: Int) -> Expected {
    let key = [spy, instance.number]
    if let kept = spied[key], !instance.lifetime.isWeak || isHeld(kept),
      fault != .decorationsWrapAnew
    {
      return kept
    }
    built += 1
    let made = Expected(
      number: built, plan: spy, container: -1, argument: nil, needs: [instance],
      lifetime: instance.lifetime)
    spied[key] = made
    return made
  }

  func isHeld(_ instance: Expected) -> Bool {
    var holders = held + inHand + keeper.strong + open.flatMap(\.keeper.strong)
    holders += cycle.map { Array($0.values) } ?? []
    holders += lazies.flatMap(\.kept)
    return holders.contains { $0.find(instance.number) != nil }
  }

  mutating func meet(_ need: Plan.Need, for container: Int) -> Expected? {
    switch need.from {
    case .givenContainer: return ask(container, need.service, need.argument)
    case .root: return ask(root, need.service, need.argument)
    case .captured(let other): return ask(other, need.service, need.argument)
    }
  }

  private mutating func build(_ plan: Plan, for container: Int, _ argument: Int?) -> Expected {
    let before = inHand.count
    var needs: [Expected?] = []
    for need in plan.needs {
      let needed = meet(need, for: container)
      needs.append(needed)
      if let needed { inHand.append(needed) }
    }
    inHand.removeLast(inHand.count - before)
    built += 1
    let made = Expected(
      number: built, plan: plan.id, container: container, argument: argument, needs: needs,
      lifetime: plan.lifetime)
    if let property = plan.property {
      untied.append((knot: made, property: property, container: container))
    }
    return made
  }

  mutating func changeKeeper(_ change: (inout ModelKeeper) -> Void) {
    if let scope = keepingScope, fault != .innerScopesKeepNothing {
      change(&scope.keeper)
    } else {
      change(&keeper)
    }
  }
}
