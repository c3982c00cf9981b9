import DITesting
import TestSupport

/// A random sequence of what tests do to containers, done to containers and to the model alike.
///
/// It stops at the first answer that differs: `log` tells the story so far. Here: what is done;
/// RandomLife+Scopes.swift opens scopes, RandomLife+Containers.swift deals with the containers.
final class RandomLife: @unchecked Sendable {
  // Sendable: one task uses it, and factories that this task runs or waits for.
  /// The life that a factory works for: lives may share containers.
  @TaskLocal static var current: RandomLife?

  private(set) var log: [String] = []
  private(set) var failure: String?
  private(set) var answers = 0
  /// The live services that strict scopes report.
  var heard: [String] = []

  let isAsync: Bool
  /// Whether scopes are the process's, and no task's.
  let isOfProcess: Bool
  let seed: UInt64
  var model = RulesModel()
  var containers: [Resolver] = []
  var larders: [Larder] = []
  var hasCircles = false
  var lazies: [LazyOwner] = []
  var held: [Ware] = []
  var built = 0
  /// The instances that wrap a property's.
  var wrapped = 0
  let custom: Scope
  /// Of the scopes around, with the number of scopes in each.
  var contexts: [(context: ResolutionContext, depth: Int)] = []
  var isElsewhere = false
  /// The layers pushed on the scopes around; those of the present one from `firstPush` on.
  var pushes: [Push] = []
  var firstPush = 0
  /// Of what goes into a layer that is not in force yet.
  var defaultLifetime: Lifetime?
  var stepsLeft = 60
  var plans = 0
  private var dice: Dice
  /// A dense life is longer and has few services, lifetimes and containers, each of them requested
  /// and changed again and again.
  private let isDense: Bool
  private var (services, lifetimes) = (Service.allCases, Lifetime.allCases)
  private var lastContainer: Int { isDense ? 2 : 4 }

  /// The life that set up the containers that several share, each in a sandbox of its own.
  let founder: RandomLife?

  /// `isAsync`: with async factories, and those that need nothing of either kind.
  init(
    seed: UInt64, isAsync: Bool, isOfProcess: Bool = false, sharing founder: RandomLife? = nil
  ) {
    self.isOfProcess = isOfProcess
    self.seed = seed
    self.isAsync = isAsync
    self.founder = founder
    column = founder?.column ?? UInt(Self.columns.increment())
    custom = founder?.custom ?? Scope.cache("custom")
    var dice = Dice(state: seed)
    isDense = founder == nil && dice.next() % 2 == 0
    if isDense {
      services = Array(services.shuffled(using: &dice).prefix(2))
      lifetimes = Array(lifetimes.shuffled(using: &dice).prefix(3))
      stepsLeft = 200
    }
    self.dice = dice
    guard let founder else { return }
    (containers, model, plans) = (founder.containers, founder.model, founder.plans)
  }

  /// What stands for the column of each registration: the same line in two lives is two places,
  /// but not in lives that share containers.
  ///
  /// Not the seed: several tests live the same lives at the same time.
  let column: UInt
  private static let columns = Counter()

  /// Some lives are a sandbox's from their first step to the last: all of those that share.
  func run() async {
    await Self.$current.withValue(self) {
      if founder == nil { found() }
      if !isAsync {
        // Those of the process are about lazy wrappers, which ask by type.
        if !isOfProcess {
          openLarders()
          openStalls()
        }
        // With faulty rules, a circle may be tied without end.
        if model.fault == nil { openCircles() }
      }
      if founder != nil || chance(30) {
        await openSandbox(steps: stepsLeft * 2 / 3)
      } else {
        await steps(stepsLeft / 3)
      }
    }
  }

  /// Container 0 is `main`, which only sandboxes change; 1 to 4 are the test's; layers follow.
  func found() {
    containers.append(.main)
    _ = model.addContainer()
    for _ in 1...4 { newContainer(Resolver()) }
    for container in 1...4 {
      for child in 1...4 where chance(18) { add(child, to: container) }
      for service in services where chance(isDense ? 70 : 35) {
        register(service, in: container)
      }
    }
  }
  /// What production may do while no sandbox is open.
  func changeBase() {
    for _ in 0..<4 {
      let (service, container) = (anyService(), container())
      switch roll(5) {
      case 0: remove(service, from: container)
      case 1: add(self.container(), to: container)
      default: register(service, in: container)
      }
    }
  }

  struct Push {
    let layer: Layer
    let scope: OpenScope
    /// The same for all that were pushed on one scope.
    let level: Int
  }

  // MARK: Steps

  func steps(_ count: Int) async {
    let outer = firstPush
    firstPush = pushes.count
    for _ in 0..<count where failure == nil && stepsLeft > 0 {
      stepsLeft -= 1
      await step()
      takeOffPopped()
    }
    while pushes.count > firstPush { popLayer(at: pushes.count - 1) }
    firstPush = outer
  }

  private func step() async {
    let isInScope = model.keepingScope != nil
    if !larders.isEmpty, !isElsewhere, chance(25) { return stepInLarder() }
    if !larders.isEmpty, chance(12) { return stepAtStall() }
    if hasCircles, chance(12) { return await stepInCircle() }
    if hasCircles, chance(isOfProcess ? 40 : 8) { return stepLazily() }
    switch roll(100) {
    case 0..<34: await ask(container(), anyService())
    case 34..<43: await ask(nil, anyService())
    case 43..<53: register(anyService(), in: container())
    case 53..<57: remove(anyService(), from: container())
    case 57..<60: decorate(anyService(), in: container())
    case 60..<63: reset(isInScope ? lifetimes : [.custom])
    case 63..<65: reset(lifetimes, in: container())
    case 65..<68: letGo()
    case 68..<70: add(container(), to: container())
    case 70..<77: await openSandbox()
    case 77..<81: await openRoot(container())
    case 81: await openPolicy()
    case 82..<88: if isInScope { await openLayer() }
    case 88..<91: if isInScope { push() }
    case 91..<93:
      let own = firstPush..<pushes.count
      if own.isEmpty || chance(15) { return popFurtherOut() }
      popLayer(at: chance(85) || isOfProcess ? own.last! : own.lowerBound + roll(own.count))
    case 93..<95: if isInScope { assignRoot(container()) }
    case 95..<96:
      guard model.sandbox != nil else { return }
      if chance(50) { await resetMain() } else { setDefaultLifetime() }
    case 96..<99: if !isOfProcess { await inOuterContext() }
    default: if founder == nil { inBase() }
    }
  }

  func ask(_ container: Int?, _ service: Service) async {
    let asked = container.map { containers[$0] }
    let argument = anyArgument()
    if RulesModelTests.isTraced { say("asks for \(service)") }
    let ware: Ware? =
      if isAsync {
        await service.form.later(asked, argument)
      } else {
        service.form.now(asked, argument)
      }
    compare(container, service, argument, ware)
  }
  func compare(_ container: Int?, _ service: Service, _ argument: Int?, _ ware: Ware?) {
    let expected = model.ask(container ?? model.root, service, argument)
    let asked = container.map { "\($0)" } ?? "root \(model.root)"
    compare("\(asked).\(service)(\(argument.map { "\($0)" } ?? ""))", ware, expected)
  }
  func compare(_ question: String, _ ware: Ware?, _ expected: Expected?) {
    let (got, wanted) = (ware?.description ?? "nil", expected?.description ?? "nil")
    say("\(question) = \(got)")
    answers += 1
    if got != wanted { fail("wanted: \(wanted)") }
    // Before 6.3, what a scope only warns of is no issue of Swift Testing.
    #if compiler(>=6.3)
    if heard != model.reported { fail("reported: \(heard), wanted: \(model.reported)") }
    #endif
    (heard, model.reported) = ([], [])
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
  func register(_ service: Service, in container: Int) {
    let plan = makePlan(service)
    let implemented = service.mayImplement.filter { _ in chance(isDense ? 50 : 25) }
    say("\(container) registers \(plan)" + (implemented.isEmpty ? "" : ", also \(implemented)"))
    service.form.register(plan, as: implemented, in: containers[container], for: self)
    model.put(plan, also: implemented, in: container)
  }
  func remove(_ service: Service, from container: Int) {
    say("\(container) removes \(service)")
    service.form.remove(from: containers[container])
    model.remove(service, from: container)
  }
  func decorate(_ service: Service, in container: Int) {
    plans += 1
    say("\(container) decorates \(service) by \(plans)")
    service.form.decorate(in: containers[container], by: plans)
    model.decorate(service, in: container, with: plans)
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
  /// What main was asked for goes, be it another container's: it nests them again.
  private func resetMain() async {
    let nested = model.children(of: RulesModel.main)
    for service in Service.allCases where chance(30) { await ask(RulesModel.main, service) }
    say("Resolver.reset()")
    Resolver.reset()
    model.resetMain()
    for child in nested where chance(60) { add(child, to: RulesModel.main) }
    for service in Service.allCases where chance(30) { await ask(RulesModel.main, service) }
  }
  private func setDefaultLifetime() {
    let lifetime = Lifetime.allCases[roll(Lifetime.allCases.count)]
    say("defaultScope = .\(lifetime)")
    Resolver.defaultScope = scope(lifetime)
    model.defaultLifetime = lifetime
  }

  // MARK: Chance

  func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  func chance(_ percent: Int) -> Bool { roll(100) < percent }
  func anyService() -> Service { services[roll(services.count)] }
  func anyArgument() -> Int? { chance(25) ? roll(9) : nil }
  func container() -> Int {
    model.sandbox == nil ? 1 + roll(lastContainer) : roll(lastContainer + 1)
  }

  private func makePlan(_ service: Service) -> Plan {
    plans += 1
    let needs = service.rawValue == 0 ? 0 : roll(3)
    // One line may register a type under several names.
    let site = needs == 0 && service == .namedTea ? Service.tea : service
    let isDefault = chance(20)
    let index = Lifetime.allCases.firstIndex(
      of: isDefault
        ? defaultLifetime ?? model.defaultLifetime
        : lifetimes[roll(lifetimes.count)])!
    return Plan(
      id: plans, service: service, lifetime: Lifetime.allCases[index], isDefault: isDefault,
      site: site.rawValue * 100 + index * 2 + roll(2),
      needs: (0..<needs).map { _ in
        let needed = Service.allCases[roll(service.rawValue)]
        let from: Plan.Asked =
          chance(70) ? .givenContainer : chance(50) ? .root : .captured(roll(5))
        return Plan.Need(service: needed, from: from, argument: anyArgument())
      })
  }

  // MARK: The story

  func say(_ text: String) {
    log.append(String(repeating: "  ", count: model.scopes.count) + text)
    if RulesModelTests.isTraced { RulesModelTests.trace("\(seed) \(log.last!)") }
  }
  func fail(_ text: String) {
    failure = failure ?? text
    say(text)
  }
}
