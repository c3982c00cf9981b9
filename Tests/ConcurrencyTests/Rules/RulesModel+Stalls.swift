// The rules for a service that every container declares as a property, the stall: who answers is as
// for services by type, and where nobody has registered anything, the declaration does.

extension RulesModel {
  mutating func askStall(_ container: Int) -> Expected {
    let (answer, lifetime) = (answer(container, .stall), stallLifetime)
    if answer?.isDouble != true { report("stall", .ware, of: answer?.foundIn ?? container) }
    let plan = answer?.entry.plan?.id
    let at = ModelKeeper.Place.shelf(
      plan.map { .registration($0) } ?? .stall(container),
      asked: lifetime == .container ? container : nil, nil)
    if lifetime != .unique,
      let kept = (keepingScope?.keeper ?? keeper).instance(
        at: at, isHeld: isHeld)
    {
      return kept
    }
    built += 1
    let made = Expected(
      number: built, plan: plan ?? Closure.ofStall, container: plan == nil ? container : -1,
      argument: nil, needs: [], lifetime: lifetime)
    if lifetime != .unique { changeKeeper { $0.keep(made, at: at) } }
    return made
  }
  mutating func registerStall(_ plan: Int, in container: Int) {
    forgetStall(of: container)
    put(
      Plan(
        id: plan, service: .stall, lifetime: stallLifetime, isDefault: false, site: -1, needs: []),
      in: container)
  }
  /// What was registered is taken back, and the declaration answers, unless another container does.
  mutating func resetStall(of container: Int) {
    forgetStall(of: container)
    // Where nobody has said anything, there is nothing to take back.
    if isUntouched(.stall, in: container) { return }
    replace(.stall, in: container, with: Spot(isTakenBack: sandbox != nil))
  }
  /// Lets go of what the declaration has made.
  mutating func forgetStall(of container: Int) {
    let sandbox = sandbox
    for scope in open where sandbox == nil || scope.chain.contains(where: { $0 === sandbox }) {
      scope.keeper.forget { place, _ in place.isOf(.stall(container)) }
    }
    if sandbox == nil { keeper.forget { place, _ in place.isOf(.stall(container)) } }
  }
}

extension Closure {
  static var ofStall: Int { -20 }
}
