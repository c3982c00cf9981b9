import DITesting

extension RandomLife {
  /// Services that need each other, by way of a property of one of them.
  func openCircles() {
    hasCircles = true
    // Those of lives that share containers are each in a sandbox.
    if founder != nil { return }
    for container in 1...4 {
      for service in Service.ofCircle where chance(50) {
        registerOfCircle(service, in: container)
      }
    }
  }
  func stepInCircle() async {
    let service = Service.ofCircle[roll(3)]
    switch roll(10) {
    case 0..<2: registerOfCircle(service, in: container())
    case 2: remove(service, from: container())
    default: await ask(chance(80) ? container() : nil, service)
    }
  }
  func registerOfCircle(in container: Int) {
    registerOfCircle(Service.ofCircle[roll(3)], in: container)
  }
  /// Nothing of a circle is made anew for each request but what nothing needs, or it has no end.
  private func registerOfCircle(_ service: Service, in container: Int) {
    plans += 1
    let lifetimes: [Lifetime] =
      [.graph, .cached, .application, .singleton, .custom, .perContainer]
      + (service == .ribbon ? [.unique] : [])
    func need(_ service: Service) -> Plan.Need {
      let from: Plan.Asked =
        chance(70) ? .givenContainer : chance(50) ? .root : .captured(roll(5))
      return Plan.Need(service: service, from: from, argument: nil)
    }
    var plan = Plan(
      id: plans, service: service, lifetime: lifetimes[roll(lifetimes.count)], isDefault: false,
      site: 10_000 + service.rawValue,
      needs: service == .knot ? [] : service == .bow ? [need(.knot)] : [need(.bow), need(.knot)])
    if service == .knot { plan.property = need(.bow) }
    say("\(container) registers \(plan)")
    service.form.register(plan, as: [], in: containers[container], for: self)
    model.put(plan, in: container)
  }
}

extension Knot {
  func tie(_ property: Plan.Need, _ given: Resolver, _ life: RandomLife) {
    let asked = life.asked(property.from, given) ?? Resolver.root
    bow = (try? asked.require(Bow.self))?.facts.number
  }
}
