import DITesting

// What a random life does to the containers themselves; the model does the same.

extension RandomLife {
  func put(_ plan: Plan, in resolver: Resolver) {
    switch plan.service {
    case .tea: put(Tea.self, nil, plan, in: resolver)
    case .namedTea: put(Tea.self, "named", plan, in: resolver)
    case .pot: put(Pot.self, nil, plan, in: resolver)
    case .cup: put(Cup.self, nil, plan, in: resolver)
    case .tray: put(Tray.self, nil, plan, in: resolver)
    }
  }
  private func put<W: Ware>(
    _ type: W.Type, _ name: Resolver.Name?, _ plan: Plan, in resolver: Resolver
  ) {
    let scope = scope(plan.lifetime)
    if isAsync && !(plan.needs.isEmpty && chance(50)) {
      resolver.registerAsync(type, name: name) { [unowned self] in
        var needs: [Ware?] = []
        for need in plan.needs { needs.append(await later(asked(need.from, $0), need.service)) }
        return make(type, plan, $0, needs)
      }.scope(scope)
    } else {
      resolver.register(type, name: name) { [unowned self] (given: Resolver) in
        make(type, plan, given, plan.needs.map { now(asked($0.from, given), $0.service) })
      }.scope(scope)
    }
  }
  private func make<W: Ware>(
    _ type: W.Type, _ plan: Plan, _ given: Resolver, _ needs: [Ware?]
  ) -> W {
    built += 1
    return W(number: built, plan: plan.id, container: index(given), needs: needs)
  }
  private func asked(_ from: Plan.Asked, _ given: Resolver) -> Resolver? {
    switch from {
    case .givenContainer: given
    case .root: nil
    case .captured(let container): containers[container]
    }
  }
  func now(_ resolver: Resolver?, _ service: Service) -> Ware? {
    func ask<W: Ware>(_ type: W.Type, _ name: Resolver.Name? = nil) -> Ware? {
      if let resolver { return resolver.optional(type, name: name) }
      return Resolver.optional(type, name: name)
    }
    return switch service {
    case .tea: ask(Tea.self)
    case .namedTea: ask(Tea.self, "named")
    case .pot: ask(Pot.self)
    case .cup: ask(Cup.self)
    case .tray: ask(Tray.self)
    }
  }
  func later(_ resolver: Resolver?, _ service: Service) async -> Ware? {
    func ask<W: Ware>(_ type: W.Type, _ name: Resolver.Name? = nil) async -> Ware? {
      if let resolver { return await resolver.optionalAsync(type, name: name) }
      return await Resolver.optionalAsync(type, name: name)
    }
    return switch service {
    case .tea: await ask(Tea.self)
    case .namedTea: await ask(Tea.self, "named")
    case .pot: await ask(Pot.self)
    case .cup: await ask(Cup.self)
    case .tray: await ask(Tray.self)
    }
  }
  func scope(_ lifetime: Lifetime) -> Scope {
    switch lifetime {
    case .unique: .unique
    case .graph: .graph
    case .shared: .shared
    case .cached: .cached
    case .application: .application
    case .custom: custom
    case .container: .container
    case .perContainer: .perContainer(.strong)
    case .perContainerWeak: .perContainer(.weak)
    }
  }
  func newContainer(_ resolver: Resolver) {
    containers.append(resolver)
    _ = model.addContainer()
  }
  func index(_ resolver: Resolver) -> Int {
    containers.firstIndex { $0 === resolver } ?? -1
  }
}
