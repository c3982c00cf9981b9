import DICompatibility
import DITesting

extension RandomLife {
  func newContainer(_ resolver: Resolver) {
    containers.append(resolver)
    _ = model.addContainer()
  }
  func index(_ resolver: Resolver) -> Int {
    containers.firstIndex { $0 === resolver } ?? -1
  }
  func scope(_ lifetime: Lifetime) -> Scope {
    switch lifetime {
    case .unique: .unique
    case .graph: .graph
    case .shared: .shared
    case .cached: .cached
    case .application: .application
    case .singleton: .singleton
    case .custom: custom
    case .container: .container
    case .perContainer: .perContainer(.strong)
    case .perContainerWeak: .perContainer(.weak)
    case .single: .single
    case .perRun: .perRun(.strong)
    case .perRunWeak: .perRun(.weak)
    }
  }
  func facts(_ plan: Plan, _ given: Resolver, _ argument: Int?, _ needs: [Ware?]) -> Facts {
    built += 1
    return Facts(
      number: built, plan: plan.id, container: index(given), argument: argument, needs: needs)
  }
  func asked(_ from: Plan.Asked, _ given: Resolver) -> Resolver? {
    switch from {
    case .givenContainer: given
    case .root: nil
    case .captured(let container): containers[container]
    }
  }
}

extension Service {
  var form: any ServiceForm {
    switch self {
    case .tea: Form<Tea> { Tea($0) }
    case .namedTea: Form<Tea>(name: "named") { Tea($0) }
    case .pot: Form<Pot> { Pot($0) }
    case .cup: Form<Cup> { Cup($0) }
    case .drink: Form<any Drinkable> { Tea($0) }
    case .ware: Form<Ware> { Pot($0) }
    case .tray: Form<Tray> { Tray($0) }
    case .stall: Form<Ware>(name: "stall") { Pot($0) }
    case .knot: Form<Knot> { Knot($0) }
    case .bow: Form<Bow> { Bow($0) }
    case .ribbon: Form<Ribbon> { Ribbon($0) }
    }
  }
}

/// How containers know a service.
protocol ServiceForm: Sendable {
  var key: ServiceKey { get }
  func make(_ facts: Facts) -> Any
  func register(
    _ plan: Plan, as implemented: [Service], in resolver: Resolver, for life: RandomLife)
  func implement<Other>(_ options: ResolverOptions<Other>)
  func remove(from resolver: Resolver)
  func decorate(in resolver: Resolver, by spy: Int)
  /// Asks a container, or the root.
  func now(_ resolver: Resolver?, _ argument: Int?) -> Ware?
  func later(_ resolver: Resolver?, _ argument: Int?) async -> Ware?
}

private struct Form<Known: Sendable>: ServiceForm {
  let name: Resolver.Name?
  let makeKnown: @Sendable (Facts) -> Known

  init(name: Resolver.Name? = nil, _ make: @escaping @Sendable (Facts) -> Known) {
    (self.name, makeKnown) = (name, make)
  }
  var key: ServiceKey { ServiceKey(Known.self, name: name) }
  func make(_ facts: Facts) -> Any { makeKnown(facts) }

  func register(
    _ plan: Plan, as implemented: [Service], in resolver: Resolver, for life: RandomLife
  ) {
    var options = options(plan, in: resolver, for: life)
    if !plan.isDefault { options = options.scope(life.scope(plan.lifetime)) }
    if let property = plan.property {
      options = options.initCompleted { given, knot in
        (knot as! Knot).tie(property, given, RandomLife.current!)
      }
    }
    for other in implemented { other.form.implement(options) }
  }
  private func options(
    _ plan: Plan, in resolver: Resolver, for life: RandomLife
  ) -> ResolverOptions<Known> {
    if life.isAsync && !(plan.needs.isEmpty && life.chance(50)) {
      return resolver.registerAsync(
        Known.self, name: name, line: UInt(plan.site), column: life.column
      ) { given, args in
        let (life, argument) = (RandomLife.current!, args.optional() as Int?)
        var needs: [Ware?] = []
        for need in plan.needs {
          let asked = life.asked(need.from, given)
          needs.append(await need.service.form.later(asked, need.argument))
        }
        return makeKnown(life.facts(plan, given, argument, needs))
      }
    }
    return resolver.register(
      Known.self, name: name, line: UInt(plan.site), column: life.column
    ) { given, args in
      let life = RandomLife.current!
      let needs = plan.needs.map {
        $0.service.form.now(life.asked($0.from, given), $0.argument)
      }
      return makeKnown(life.facts(plan, given, args.optional(), needs))
    }
  }
  func implement<Other>(_ options: ResolverOptions<Other>) {
    options.implements(Known.self, name: name)
  }
  func remove(from resolver: Resolver) { resolver.remove(Known.self, name: name) }
  func decorate(in resolver: Resolver, by spy: Int) {
    resolver.decorate(Known.self, name: name) { live in
      let life = RandomLife.current!
      life.built += 1
      return makeKnown(
        Facts(
          number: life.built, plan: spy, container: -1, argument: nil, needs: [live as? Ware]))
    }
  }
  func now(_ resolver: Resolver?, _ argument: Int?) -> Ware? {
    if let argument {
      if let resolver { return ware(resolver.optional(Known.self, name: name, args: argument)) }
      return ware(Resolver.optional(Known.self, name: name, args: argument))
    }
    if let resolver { return ware(resolver.optional(Known.self, name: name)) }
    return ware(Resolver.optional(Known.self, name: name))
  }
  func later(_ resolver: Resolver?, _ argument: Int?) async -> Ware? {
    if let resolver {
      return ware(await resolver.optionalAsync(Known.self, name: name, args: argument))
    }
    return ware(await Resolver.root.optionalAsync(Known.self, name: name, args: argument))
  }
  private func ware(_ known: Known?) -> Ware? { known as? Ware }
}
