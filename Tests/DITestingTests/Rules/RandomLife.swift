import DITesting

/// A random sequence of what tests do to containers, done to containers and to the model alike.
///
/// It stops at the first answer that differs: `log` tells the story so far. What it does to the
/// containers is in RandomLife+Containers.swift.
final class RandomLife: @unchecked Sendable {
  // Sendable: one task uses it, and factories that this task runs or waits for.
  private(set) var log: [String] = []
  private(set) var failure: String?
  private(set) var answers = 0

  let isAsync: Bool
  private var dice: Dice
  var model = RulesModel()
  var containers: [Resolver] = []
  private var held: [Ware] = []
  private var plans = 0
  var built = 0
  let custom = Scope.cache("custom")
  /// Of the scopes around, with the number of scopes in each.
  private var contexts: [(context: ResolutionContext, depth: Int)] = []
  private var isElsewhere = false
  private var stepsLeft = 60

  /// `isAsync`: with async factories, and those that need nothing of either kind.
  init(seed: UInt64, isAsync: Bool) {
    dice = Dice(state: seed)
    self.isAsync = isAsync
  }

  /// Container 0 is `main`, which only sandboxes change; 1 to 4 are the test's; layers follow.
  func run() async {
    containers.append(.main)
    _ = model.addContainer()
    for _ in 1...4 { newContainer(Resolver()) }
    for container in 1...4 {
      for child in 1...4 where chance(18) { add(child, to: container) }
      for service in Service.allCases where chance(35) { register(service, in: container) }
    }
    await steps(12)
  }

  // MARK: Steps

  private func steps(_ count: Int) async {
    var pushed: [Layer] = []
    for _ in 0..<count where failure == nil && stepsLeft > 0 {
      stepsLeft -= 1
      await step(&pushed)
    }
    for layer in pushed.reversed() { pop(layer) }
  }

  private func step(_ pushed: inout [Layer]) async {
    let isInScope = !model.scopes.isEmpty
    switch roll(100) {
    case 0..<36: await ask(container(), anyService())
    case 36..<46: await ask(nil, anyService())
    case 46..<56: register(anyService(), in: container())
    case 56..<60: remove(anyService(), from: container())
    case 60..<63: reset(isInScope ? [.custom, .cached, .shared, .application] : [.custom])
    case 63..<65: reset([.custom, .cached, .shared, .container, .perContainer], in: container())
    case 65..<68: letGo()
    case 68..<70: add(container(), to: container())
    case 70..<77: await openSandbox()
    case 77..<82: await openRoot(container())
    case 82..<88: if isInScope { await openLayer() }
    case 88..<91: if isInScope, !isElsewhere { pushed.append(push()) }
    case 91..<93: pushed.popLast().map(pop)
    case 93..<95: if isInScope { assignRoot(container()) }
    case 95..<96: if model.sandbox != nil { resetMain() }
    case 96..<99: await inOuterContext()
    default: inBase()
    }
  }

  private func ask(_ container: Int?, _ service: Service) async {
    let asked = container.map { containers[$0] }
    let ware = isAsync ? await later(asked, service) : now(asked, service)
    compare(container, service, ware)
  }
  private func compare(_ container: Int?, _ service: Service, _ ware: Ware?) {
    let expected = model.ask(container ?? model.root, service)
    let (got, wanted) = (ware.map(describe) ?? "nil", expected.map(describe) ?? "nil")
    say("\(container.map { "\($0)" } ?? "root \(model.root)").\(service) = \(got)")
    answers += 1
    if got != wanted { fail("wanted: \(wanted)") }
    guard let ware, let expected, isAsync || chance(40) else { return }
    held.append(ware)
    model.held.append(expected)
  }
  /// Not where factories are async: tasks that end may hold an instance a little longer.
  private func letGo() {
    if isAsync || held.isEmpty { return }
    let kept = chance(50) ? 0 : roll(held.count)
    say("let go of all but \(kept)")
    held.removeLast(held.count - kept)
    model.held.removeLast(model.held.count - kept)
  }
  private func register(_ service: Service, in container: Int) {
    let plan = makePlan(service)
    say("\(container) registers \(describe(plan))")
    put(plan, in: containers[container])
    model.put(plan, service, in: container)
  }
  private func remove(_ service: Service, from container: Int) {
    say("\(container) removes \(service)")
    let resolver = containers[container]
    switch service {
    case .tea: resolver.remove(Tea.self)
    case .namedTea: resolver.remove(Tea.self, name: "named")
    case .pot: resolver.remove(Pot.self)
    case .cup: resolver.remove(Cup.self)
    case .tray: resolver.remove(Tray.self)
    }
    model.put(nil, service, in: container)
  }
  private func add(_ child: Int, to container: Int) {
    if model.reached(from: child).contains(container) { return }
    if model.children(of: container).contains(child) { return }
    say("\(container) adds child \(child)")
    containers[container].add(child: containers[child])
    model.add(child: child, to: container)
  }
  private func reset(_ lifetimes: [Lifetime]) {
    let lifetime = lifetimes[roll(lifetimes.count)]
    say("reset .\(lifetime)")
    scope(lifetime).reset()
    model.reset(lifetime)
  }
  private func reset(_ lifetimes: [Lifetime], in container: Int) {
    let lifetime = chance(40) ? nil : lifetimes[roll(lifetimes.count)]
    say("\(container) resets \(lifetime.map { ".\($0)" } ?? "all")")
    let manager = containers[container].manager
    if let lifetime { manager.reset(scope: scope(lifetime)) } else { manager.reset() }
    model.reset(lifetime, in: container)
  }
  private func assignRoot(_ container: Int) {
    say("root = \(container)")
    Resolver.root = containers[container]
    model.assignRoot(container)
  }
  private func resetMain() {
    say("Resolver.reset()")
    Resolver.reset()
    model.resetMain()
  }

  // MARK: Scopes

  private func openSandbox() async {
    if model.scopes.count > 5 { return }
    say("sandbox {")
    await withSandbox { root in
      let container = index(root)
      if container != model.root { fail("the sandbox's root is \(container)") }
      model.enter(OpenScope(.sandbox))
      for service in Service.allCases where chance(20) { register(service, in: container) }
    } operation: {
      await inScope { await steps(10) }
    }
    leave()
  }
  private func openRoot(_ container: Int) async {
    if model.scopes.count > 5 { return }
    say("root \(container) {")
    await withRoot(containers[container]) {
      model.enter(OpenScope(.root, installed: container))
      await inScope { await steps(10) }
    }
    leave()
  }
  private func openLayer() async {
    if model.scopes.count > 5 { return }
    await withLayer { layer in
      say("layer \(fill(layer)) {")
    } operation: {
      model.enter(OpenScope(.layer, installed: containers.count - 1))
      await inScope { await steps(10) }
    }
    leave()
  }
  private func inScope(_ body: nonisolated(nonsending) () async -> Void) async {
    contexts.append((.current, model.scopes.count))
    await body()
    contexts.removeLast()
  }
  private func leave() {
    model.leave()
    say("}")
  }
  private func push() -> Layer {
    let layer = Resolver.push { say("push \(fill($0)) {") }
    model.enter(OpenScope(.pushedLayer, installed: containers.count - 1))
    return layer
  }
  private func pop(_ layer: Layer) {
    Resolver.pop(layer)
    leave()
  }
  /// Registers doubles in a layer that is not in force yet.
  private func fill(_ layer: Resolver) -> Int {
    newContainer(layer)
    let scopes = model.scopes
    model.scopes = []
    for service in Service.allCases where chance(35) { register(service, in: index(layer)) }
    model.scopes = scopes
    return index(layer)
  }
  /// Goes on in a context that was taken along from further out, with what was pushed there.
  private func inOuterContext() async {
    if contexts.isEmpty || isElsewhere { return }
    let (context, depth) = contexts[roll(contexts.count)]
    let scopes = model.scopes
    let pushed = scopes[depth...].prefix { $0.kind == .pushedLayer }.count
    say("in the context of \(depth + pushed) scopes {")
    (model.scopes, isElsewhere) = (Array(scopes[..<(depth + pushed)]), true)
    await context.run { await steps(4) }
    (model.scopes, isElsewhere) = (scopes, false)
    say("}")
  }
  /// What production code sets up is base state, whichever scopes are open (RULES 1).
  private func inBase() {
    if isElsewhere { return }
    let scopes = model.scopes
    say("in production's set-up {")
    model.scopes = []
    _ = Resolver { _ in
      register(anyService(), in: container())
      let (container, service) = (container(), anyService())
      if !isAsync { compare(container, service, now(containers[container], service)) }
    }
    model.scopes = scopes
    say("}")
  }

  // MARK: Chance

  private func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  func chance(_ percent: Int) -> Bool { roll(100) < percent }
  private func anyService() -> Service { Service.allCases[roll(Service.allCases.count)] }
  private func container() -> Int { model.sandbox == nil ? 1 + roll(4) : roll(5) }
  private func makePlan(_ service: Service) -> Plan {
    plans += 1
    let needs = service.rawValue == 0 ? 0 : roll(3)
    return Plan(
      id: plans, service: service, lifetime: Lifetime.allCases[roll(Lifetime.allCases.count)],
      needs: (0..<needs).map { _ in
        let needed = Service.allCases[roll(service.rawValue)]
        return (needed, chance(70) ? .givenContainer : chance(50) ? .root : .captured(roll(5)))
      })
  }

  // MARK: The story

  private func say(_ text: String) {
    log.append(String(repeating: "  ", count: model.scopes.count) + text)
  }
  private func fail(_ text: String) {
    failure = failure ?? text
    say(text)
  }
  private func describe(_ ware: Ware) -> String {
    "#\(ware.number) of \(ware.plan) for \(ware.container)"
      + (ware.needs.isEmpty ? "" : " \(ware.needs.map { $0.map(describe) ?? "nil" })")
  }
  private func describe(_ ware: Expected) -> String {
    "#\(ware.number) of \(ware.plan) for \(ware.container)"
      + (ware.needs.isEmpty ? "" : " \(ware.needs.map { $0.map(describe) ?? "nil" })")
  }
  private func describe(_ plan: Plan) -> String {
    "plan \(plan.id): \(plan.service) .\(plan.lifetime), needs \(plan.needs.map { "\($0)" })"
  }
}
