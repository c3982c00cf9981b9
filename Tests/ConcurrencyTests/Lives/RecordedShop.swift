import DIContainer
import DITesting

/// A random shop that keeps a list of its own of what is asked for and made.
///
/// RecordedShop+Events.swift compares that with what a recorder says.
final class RecordedShop: @unchecked Sendable {
  // Sendable: one task uses it, and the factories that this task runs.
  /// How something is made.
  struct Plan {
    let good: Goods
    let line: UInt
    let scope: Scope
    let container: Int
    let isDouble: Bool
    let needs: [RandomWiring.Need]
    /// Whether its parameters are its needs, rather than what it asks for.
    let isInitialiser: Bool
    let failure: Failure?
  }
  enum Failure { case error, none }
  struct Broken: Error {}

  /// A request that the test made, or a factory that it wrote.
  final class Asked {
    let good: Goods
    /// The line that asks, as far as anybody can tell: no other request has it.
    let line: UInt
    /// The factory that it was made in.
    let run: Run?
    var answer: Good?
    /// What it was recorded by alone, if anything.
    var own: ResolutionRecorder?

    init(_ good: Goods, line: UInt, in run: Run?) {
      (self.good, self.line, self.run) = (good, line, run)
    }
  }
  /// A call of a factory.
  final class Run {
    let plan: Plan
    var made: Good?

    init(_ plan: Plan) { self.plan = plan }
  }

  private(set) var log: [String] = []
  private(set) var containers: [Resolver] = []
  private(set) var asked: [Asked] = []
  /// The factories that came to an end with an instance.
  private(set) var runs: [Run] = []
  /// What was made before anything was recorded.
  private(set) var early = 0
  /// The containers that stand for the root for a while.
  private(set) var installed: Set<Int> = []
  /// What each line registers.
  private(set) var goods: [UInt: Goods] = [:]
  let column: UInt
  private let custom: Scope = Scope.cache("custom")
  private var stack: [Run] = []
  private var lines: UInt = 0
  private var isInSandbox = false
  private var dice: Dice

  /// `place`: shops of one seed are in several, so that they share no line of code.
  init(seed: UInt64, place: Int) {
    dice = Dice(state: seed)
    column = UInt(seed) * 4 + UInt(place)
    for _ in 0..<3 { containers.append(Resolver()) }
    if chance(60) { containers[0].add(child: containers[1]) }
    if chance(60) { containers[chance(50) ? 0 : 1].add(child: containers[2]) }
    for good in Goods.allCases {
      for container in 0..<3 where chance(50) { register(good, in: container) }
    }
  }

  // MARK: The story

  /// Asks for this and that, in scopes of all kinds.
  func live(_ steps: Int = 12, depth: Int = 0) {
    for _ in 0..<steps {
      switch roll(depth < 3 ? 12 : 8) {
      case 8: sandbox(depth)
      case 9: layer(depth)
      case 10: root(depth)
      case 11: ResolutionContext.current.run { live(3, depth: depth + 1) }
      default: ask(Goods.allCases[roll(9)], of: containers[roll(containers.count)])
      }
    }
  }
  func noteEarly() { (early, asked) = (runs.count, []) }

  private func sandbox(_ depth: Int) {
    say("sandbox")
    let was = isInSandbox
    withSandbox {
      isInSandbox = true
      for good in Goods.allCases where chance(20) { register(good, in: roll(3)) }
      live(5, depth: depth + 1)
    }
    isInSandbox = was
    say("end of the sandbox")
  }
  private func layer(_ depth: Int) {
    let number = containers.count
    say("layer \(number)")
    withRoot(containers[0]) {
      installed.insert(0)
      withLayer {
        containers.append($0)
        for good in Goods.allCases where chance(25) { register(good, in: number, isDouble: true) }
      } operation: {
        live(5, depth: depth + 1)
      }
    }
    containers.removeLast(containers.count - number)
    installed.remove(0)
    say("end of the layer")
  }
  private func root(_ depth: Int) {
    let container = roll(3)
    if installed.contains(container) || installed.contains(0) { return }
    say("root \(container)")
    withRoot(containers[container]) {
      installed.insert(container)
      live(5, depth: depth + 1)
    }
    installed.remove(container)
    say("end of the root")
  }

  // MARK: Registering

  private func register(_ good: Goods, in container: Int, isDouble: Bool = false) {
    lines += 1
    goods[lines] = good
    let isInitialiser = chance(40)
    let later = Goods.allCases.filter {
      $0.rawValue > good.rawValue && (!isInitialiser || $0.name == nil)
    }
    let needs = (0..<(later.isEmpty ? 0 : roll(3))).map { _ in
      RandomWiring.Need(
        good: later[roll(later.count)],
        form: [.plain, .plain, .optional, isInitialiser ? .lazy : .plain][roll(4)])
    }
    let aliases = good.mayStandFor.filter { _ in chance(25) }
    let plan = Plan(
      good: good, line: lines, scope: scopes[roll(scopes.count)], container: container,
      isDouble: isDouble || isInSandbox, needs: needs, isInitialiser: isInitialiser,
      failure: chance(6) ? chance(50) ? .error : Failure.none : nil)
    say(
      "\(container) registers \(good) .\(plan.scope), line \(lines), "
        + "\(isInitialiser ? "init" : "closure") of \(needs.map { "\($0.form) \($0.good)" }), "
        + "also \(aliases), fails: \(plan.failure, default: "never")")
    let closure: ([Any?]) throws -> Good? = { [unowned self] parts in
      try run(plan, parts)
    }
    let asks: (Resolver) throws -> Good? = { [unowned self] r in try run(plan, asking: r) }
    Filing(plan: plan, resolver: containers[container], column: column, aliases: aliases)
      .register(closure, asks)
  }

  private func run(_ plan: Plan, _ parts: [Any?]) throws -> Good? {
    let run = Run(plan)
    return try end(run, parts)
  }
  private func run(_ plan: Plan, asking resolver: Resolver) throws -> Good? {
    let run = Run(plan)
    stack.append(run)
    defer { stack.removeLast() }
    let parts = plan.needs.map { ask($0.good, of: resolver, needed: $0.form == .plain) as Any? }
    return try end(run, parts)
  }
  private func end(_ run: Run, _ parts: [Any?]) throws -> Good? {
    switch run.plan.failure {
    case .error: throw Broken()
    case Failure.none?: return nil
    case nil: break
    }
    run.made = run.plan.good.make(parts)
    runs.append(run)
    return run.made
  }

  // MARK: Asking

  @discardableResult
  private func ask(_ good: Goods, of resolver: Resolver, needed: Bool = true) -> Good? {
    lines += 1
    let asked = Asked(good, line: lines, in: stack.last)
    self.asked.append(asked)
    func ask<Known>(_ type: Known.Type) -> Good? {
      if needed {
        return
          (try? resolver.require(
            type, name: good.name, line: asked.line, column: column)) as? Good
      }
      let answer = try? resolver.require(
        Known?.self, name: good.name, line: asked.line, column: column)
      return answer.flatMap(\.self) as? Good
    }
    if chance(10) {
      let own = ResolutionRecorder()
      asked.own = own
      asked.answer = withRecorder(own) { ask(good.type) }
    } else {
      asked.answer = ask(good.type)
    }
    let place = "\(stack.isEmpty ? "" : "  ")line \(asked.line)"
    let number = runs.firstIndex { $0.made === asked.answer && asked.answer != nil }
    say("\(place): \(good) = \(number.map { "#\($0) by \(runs[$0].plan.line)" } ?? "nil")")
    return asked.answer
  }

  // MARK: Chance

  private var scopes: [Scope] {
    [
      .unique, .unique, .graph, .graph, .shared, .cached, .application, .singleton, custom,
      .container, .perContainer(.strong), .perContainer(.weak), .single, .perRun(.strong),
    ]
  }
  private func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  private func chance(_ percent: Int) -> Bool { roll(100) < percent }
  private func say(_ text: String) { log.append(text) }
}

/// How a plan is registered.
private struct Filing {
  let plan: RecordedShop.Plan
  let resolver: Resolver
  let column: UInt
  let aliases: [Goods]

  func register(
    _ make: @escaping ([Any?]) throws -> Good?, _ ask: @escaping (Resolver) throws -> Good?
  ) {
    if plan.isInitialiser {
      let types = plan.needs.map(\.parameter)
      switch types.count {
      case 0: initialise(plan.good.type, make)
      case 1: initialise(plan.good.type, types[0], make)
      default: initialise(plan.good.type, types[0], types[1], make)
      }
      return
    }
    func register<Known>(_ type: Known.Type) {
      finish(
        resolver.register(type, name: plan.good.name, line: plan.line, column: column) { r in
          try ask(r) as! Known?
        })
    }
    register(plan.good.type)
  }
  private func initialise<Known>(_: Known.Type, _ make: @escaping ([Any?]) throws -> Good?) {
    finish(
      resolver.register(
        { () throws -> Known? in try make([]) as! Known? }, name: plan.good.name,
        line: plan.line, column: column))
  }
  private func initialise<Known, One>(
    _: Known.Type, _: One.Type, _ make: @escaping ([Any?]) throws -> Good?
  ) {
    finish(
      resolver.register(
        { (one: One) throws -> Known? in try make([one]) as! Known? }, name: plan.good.name,
        line: plan.line, column: column))
  }
  private func initialise<Known, One, Other>(
    _: Known.Type, _: One.Type, _: Other.Type, _ make: @escaping ([Any?]) throws -> Good?
  ) {
    finish(
      resolver.register(
        { (one: One, other: Other) throws -> Known? in try make([one, other]) as! Known? },
        name: plan.good.name, line: plan.line, column: column))
  }
  private func finish<Known>(_ options: ResolverOptions<Known>) {
    var options = options.scope(plan.scope)
    for alias in aliases {
      func implement<Other>(_ type: Other.Type) {
        options = options.implements(type, name: alias.name, line: plan.line, column: column)
      }
      implement(alias.type)
    }
  }
}
