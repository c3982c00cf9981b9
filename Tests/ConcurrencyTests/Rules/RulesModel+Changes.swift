extension RulesModel {
  mutating func addContainer() -> Int {
    spots.append([:])
    children.append([])
    homes.append(sandbox)
    return spots.count - 1
  }
  mutating func enter(_ kind: OpenScope.Kind, installing container: Int? = nil) {
    opened += 1
    scopes.append(OpenScope(kind, opened, installed: container, in: scopes))
    open.append(scopes.last!)
  }
  mutating func leave() {
    scopes.removeLast()
    let closed = open.removeLast()
    for index in lazies.indices { lazies[index].forget(closed) }
    closed.close()
    forgetPushes(in: closed)
    // A layer's doubles are its sandbox's.
    for layer in layers where homes[layer] === closed { spots[layer] = [:] }
    forgetSites()
  }

  // MARK: Registrations

  /// What stands there goes, with what wraps it and what was kept for it (RULES 12).
  mutating func put(_ plan: Plan, also names: [Service] = [], in container: Int) {
    let earlier = earlierWithNames(plan.service, in: container)
    let staying = earlier.map(\.plan).filter {
      !names.isEmpty && hasName($0, in: container, besides: names)
    }
    replace(plan.service, in: container, with: Spot(entry: .plan(plan)), besides: staying)
    for name in names {
      let alias = Entry.alias(plan.service, by: plan.id)
      replace(name, in: container, with: Spot(entry: alias))
      if earlier.isEmpty { continue }
      let apart = earlier.filter { hasName($0.plan, in: container) }
      change(plan.service, in: container) { $0.apart = apart }
      forgetSites()
    }
  }
  /// What changes of a container change: the sandbox's view of it, or the container itself.
  private func place(_ container: Int) -> [Service: Spot] {
    if let sandbox { return sandbox.views[container]?.spots ?? [:] }
    return spots[container]
  }
  /// The plans that a new one for a service takes the place of, and that names may tell apart.
  private func earlierWithNames(_ service: Service, in container: Int) -> [Decorated] {
    guard let spot = place(container)[service], let plan = spot.entry?.plan else { return [] }
    return ([Decorated(plan: plan, spies: spot.spies)] + spot.apart).filter {
      hasName($0.plan, in: container)
    }
  }
  private func hasName(
    _ plan: Plan, in container: Int, besides others: [Service] = []
  ) -> Bool {
    place(container).contains { name, spot in
      !others.contains(name)
        && (spot.beside + (spot.entry.map { [$0] } ?? [])).contains {
          if case .alias(_, by: plan.id) = $0 { true } else { false }
        }
    }
  }
  /// In a sandbox's view it hides what lies below it, and so it does where the container is a layer
  /// (RULES 14).
  mutating func remove(_ service: Service, from container: Int) {
    replace(service, in: container, with: Spot(isMask: true))
  }
  /// It wraps what stands there, or lies below, and goes with it.
  mutating func decorate(_ service: Service, in container: Int, with spy: Int) {
    change(service, in: container) { $0.spies.append(spy) }
  }
  /// What another name takes the place of is still there for who asks for all (`resolveMany`).
  ///
  /// `staying` are plans that names tell apart from the new one: a test's instances of these stay.
  mutating func replace(
    _ service: Service, in container: Int, with new: Spot, besides staying: [Plan] = []
  ) {
    let present = ownEntry(container, service, in: scopes)
    let plan = present?.plan
    let isHidden = plan.map { self.isHidden($0, in: container) } ?? false
    let isName = new.entry.map { $0.plan == nil } ?? false
    var (before, beside, apart): ([Entry], [Entry], [Decorated]) = ([], [], [])
    change(service, in: container) { spot in
      before = spot.beside + (spot.entry.map { [$0] } ?? [])
      apart = spot.apart
      if let entry = new.entry { beside = before.filter { $0.target != entry.target } }
      spot = Spot(isMask: true, beside: beside)
    }
    forgetKept(
      for: plan.map { [$0] } ?? [], besides: staying, isHidden: isHidden, isStill: isName)
    if !isName {
      forgetKept(
        for: before.compactMap(\.plan) + apart.map(\.plan), besides: staying, isHidden: false)
    }
    change(service, in: container) { spot in
      spot = new
      spot.beside = beside
    }
  }
  /// A sandbox takes changes in (RULES 15).
  private mutating func change(
    _ service: Service, in container: Int, _ change: (inout Spot) -> Void
  ) {
    if let sandbox {
      change(&sandbox.views[container, default: .init()].spots[service, default: Spot()])
    } else {
      change(&spots[container][service, default: Spot()])
    }
  }

  /// Whether a sandbox hides a container's registration when it changes it, for it is not its own.
  private func isHidden(_ plan: Plan, in container: Int) -> Bool {
    guard let sandbox else { return false }
    return sandbox.views[container]?.spots[plan.service]?.entry?.plan?.id != plan.id
  }

  /// What else is only hidden, or still there beside another name, scopes keep that are open
  /// further in, until they end.
  private mutating func forgetKept(
    for gone: [Plan], besides staying: [Plan] = [], isHidden: Bool, isStill: Bool = false
  ) {
    if fault == .registeringForgetsNothing { return }
    let sandbox = sandbox
    for scope in open where sandbox == nil || scope.chain.contains(where: { $0 === sandbox }) {
      let isOwn = scopes.contains { $0 === scope }
      let stays = isOwn ? [] : isHidden || isStill ? gone : staying
      let unreachable = gone.filter { plan in !stays.contains { $0.id == plan.id } }
      scope.keeper.forget { place, _ in Self.isGone(place, unreachable) }
    }
    if sandbox == nil { keeper.forget { place, _ in Self.isGone(place, gone) } }
    forgetSites(of: gone)
  }
  private static func isGone(_ place: ModelKeeper.Place, _ plans: [Plan]) -> Bool {
    switch place {
    case .registration(let id), .container(let id, _): plans.contains { $0.id == id }
    case .shelf(.registration(let id), _, _): plans.contains { $0.id == id }
    case .site, .shelf, .fallback: false
    }
  }
  /// A site's instances go with the last registration that the line made, wherever that is, and
  /// whoever hides it (RULES 12).
  private mutating func forgetSites(of gone: [Plan] = []) {
    if fault == .registeringForgetsNothing { return }
    var sites: Set<Int> = []
    for spots in spots + open.flatMap({ $0.views.values.map(\.spots) }) {
      for spot in spots.values {
        let entries = spot.beside + (spot.entry.map { [$0] } ?? [])
        let plans = entries.compactMap(\.plan) + spot.apart.map(\.plan)
        sites.formUnion(plans.filter(\.lifetime.isPerSite).map(\.site))
      }
    }
    if fault == .sitesGoWithTheFirstLink { sites.subtract(gone.map(\.site)) }
    for scope in open { scope.keeper.forget { place, _ in place.isSite(besides: sites) } }
    keeper.forget { place, _ in place.isSite(besides: sites) }
  }

  // MARK: Containers, settings, resets

  mutating func add(child: Int, to container: Int) {
    if let sandbox {
      sandbox.views[container, default: .init()].children = children(of: container) + [child]
    } else {
      children[container].append(child)
    }
  }
  mutating func assignRoot(_ container: Int) {
    scopes.last { $0.kind != .pushedLayer && $0.kind != .policy }!.root = container
  }
  /// Of registrations that name none (`Resolver.defaultScope`); sandboxes have their own.
  var defaultLifetime: Lifetime {
    get { scopes.reversed().lazy.compactMap(\.defaultLifetime).first ?? .graph }
    nonmutating set { sandbox?.defaultLifetime = newValue }
  }
  /// `Scope.reset()`: where scopes are open, the innermost one's instances only.
  mutating func reset(_ lifetime: Lifetime) {
    if fault == .scopesResetNothing { return }
    changeKeeper { $0.forget { $1 == lifetime } }
    forgetPushed(in: keepingScope?.number, [lifetime])
  }

  /// `manager.reset(scope:)`, or with nil `manager.reset()`: what the container keeps.
  mutating func reset(_ lifetime: Lifetime?, in container: Int) {
    if fault == .managersResetNothing { return }
    let scopes = scopes
    let owned = Service.known.flatMap { ownPlans(container, $0, in: scopes) }.map(\.id)
    if lifetime == nil { resetStall(of: container) }
    changeKeeper {
      $0.forget { place, kept in
        guard lifetime == nil || lifetime == kept, kept.isContainers else { return false }
        return switch place {
        case .registration(let id): owned.contains(id)
        case .container(_, let asked): asked == container
        case .shelf(.stall(let owner), let asked, _): owner == container || asked == container
        case .shelf(.registration(let id), let asked, _):
          owned.contains(id) || asked == container
        case .site, .shelf, .fallback: false
        }
      }
    }
  }
  /// `Resolver.reset()` in a sandbox (RULES 16).
  mutating func resetMain() {
    let first = scopes.lastIndex { $0.kind == .sandbox }!
    let scopes = scopes
    let gone = Service.known.flatMap { ownPlans(Self.main, $0, in: scopes) }
    let hidden = gone.filter { isHidden($0, in: Self.main) }
    let own = gone.filter { !isHidden($0, in: Self.main) }
    let beside = Service.known.flatMap { ownSpots(Self.main, $0, in: scopes).flatMap(\.beside) }
      .compactMap(\.plan)
    sandbox?.views[Self.main] = OpenScope.View(isReset: true, children: [])
    forgetKept(for: own, isHidden: false)
    forgetKept(for: hidden + beside, isHidden: true)
    forgetStall(of: Self.main)
    for scope in scopes[first...] {
      if scope.kind != .pushedLayer, scope.kind != .policy { scope.root = Self.main }
      scope.keeper.forget {
        $1 == .application || $1 == .cached || $1 == .shared || $0.isAsked(of: Self.main)
      }
      forgetPushed(in: scope.number, [.application, .cached, .shared])
    }
  }
}
