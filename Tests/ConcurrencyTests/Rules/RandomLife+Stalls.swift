import DITesting

extension Container {
  fileprivate var stall: Factory<Ware> {
    self {
      RandomLife.make(Closure.ofStall, in: RandomLife.current!.index(self))
    }.scope(RandomLife.current!.scope(RandomLife.current!.model.stallLifetime))
  }
}

extension RandomLife {
  func openStalls() {
    let lifetimes: [Lifetime] = [.unique, .cached, .shared, .custom, .perContainer, .container]
    model.stallLifetime = lifetimes[roll(lifetimes.count)]
    say("containers declare a stall .\(model.stallLifetime)")
  }
  func stepAtStall() {
    let container = container()
    if chance(30) { return registerStall(in: container) }
    let ware = containers[container].stall()
    compare("\(container).stall()", ware, model.askStall(container))
  }
  func registerStall(in container: Int) {
    plans += 1
    let plan = plans
    say("\(container) registers a stall by \(plan)")
    containers[container].stall.register { Self.make(plan) }
    model.registerStall(plan, in: container)
  }
}
