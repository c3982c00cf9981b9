@testable import DIContainer
@testable import DITesting
import Foundation
import TestSupport

/// A random world, what some threads do to it at the same time, and what may come of it: what
/// comes of some order of all their steps.
final class Race: @unchecked Sendable {
  // Sendable: the first thread changes it while the others wait for it.
  enum Place: CaseIterable { case outside, inSandbox, underLayer, halfInSandbox }

  let seed: UInt64
  let place: Place
  private let base: [Step]
  private let inside: [Step]
  private let programs: [[Step]]
  /// Those that it concerns; none: it is about what is registered by type.
  private let booths: [Booth]
  private let custom = Scope.cache("custom")
  private let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let arrivals = Atomic()
  private let turn = Atomic()
  private var dice: Dice

  private var world: World!
  private var contexts: [ResolutionContext?] = []
  private var hands: [Hand] = []
  private var runs: [String] = []
  private var round = Round(order: nil)
  private(set) var failures: [String] = []

  private struct Round {
    /// Whose step comes when; nil for all at the same time.
    let order: [Int]?
    var pause = 0
    var delays: [Int] = []
  }

  init(seed: UInt64) {
    self.seed = seed
    var dice = Dice(state: seed)
    place = Place.allCases.randomElement(using: &dice)!
    var maker = StepMaker(dice, isInSandbox: place != .outside)
    base = (0..<maker.roll(6)).flatMap { _ in maker.steps(isBase: true) }
    inside = place == .outside ? [] : (0..<maker.roll(4)).flatMap { _ in maker.steps() }
    // What a sandbox registers for a property goes on with what was said of it further out, as it
    // was then: three steps may tell that from all orders.
    let isHalf = place == .halfInSandbox
    let count = !isHalf && maker.chance(20) ? 3 : 2
    maker.isRacing = true
    var programs = (0..<count).map { thread in
      maker.mayPush = thread == 0
      var program: [Step] = []
      let length = isHalf || count == 3 ? 1 : 1 + maker.roll(3)
      while program.count < length { program += maker.steps(isBase: isHalf && thread == 0) }
      return Array(program.prefix(isHalf ? 1 : 4))
    }
    // What is asked for while a container is pushed may be kept by what it held before only.
    if programs.joined().contains(where: { $0.kind == .push }) {
      programs = programs.map { $0.filter { $0.kind != .question } }
    }
    self.programs = programs
    self.dice = maker.dice
    booths = Booth.allCases.filter { maker.booths.contains($0) }
  }

  /// Whether an answer may be one that nobody else gets, made for a request that set out before
  /// what it found was replaced or forgotten, by what it found: nothing keeps it.
  private var mayBeAlone: Bool { !programs.joined().allSatisfy { $0.kind == .question } }

  // MARK: Rounds

  /// Does everything in every order, then many times at the same time.
  func run(rounds count: Int) {
    _ = threadsAreOurs
    var orders: [[Int]] = [[]]
    for (thread, program) in programs.enumerated() {
      orders = orders.flatMap { Self.insert(program.map { _ in thread }[...], into: $0[...]) }
    }
    var rounds = orders.map { Round(order: $0) }
    for _ in 0..<count {
      rounds.append(
        Round(
          order: nil, pause: roll(3) == 0 ? roll(600) : 0,
          delays: programs.map { _ in roll(2) == 0 ? 0 : roll(400) }))
    }
    let roundCount = rounds.count
    for thread in 1..<programs.count {
      Thread.detachNewThread {
        for _ in 0..<roundCount {
          self.start.wait()
          self.meet()
          self.act(thread)
          self.end.signal()
        }
      }
    }
    // Here, where issues belong to the test.
    lead(rounds)
  }
  private func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }

  /// All ways to merge two sequences.
  private static func insert(_ new: ArraySlice<Int>, into old: ArraySlice<Int>) -> [[Int]] {
    guard let first = new.first else { return [Array(old)] }
    guard let other = old.first else { return [Array(new)] }
    return insert(new.dropFirst(), into: old).map { [first] + $0 }
      + insert(new, into: old.dropFirst()).map { [other] + $0 }
  }

  private func lead(_ rounds: [Round]) {
    var allowed: [[String]: [Int]] = [:]
    var allowedBut: Set<[String]> = []
    for round in rounds {
      self.round = round
      let heard = play()
      let outcome = heard.lines()
      if let order = round.order {
        if allowed[outcome] == nil { allowed[outcome] = order }
        for alone in heard.subsetsOfAnswers { allowedBut.insert(heard.lines(alone: alone)) }
      } else if allowed[outcome] == nil, failures.isEmpty {
        let alone = heard.answersOfNobodyElse
        if !mayBeAlone || alone.isEmpty || !allowedBut.contains(heard.lines(alone: alone)) {
          failures.append(story(outcome, allowed))
        }
      }
    }
  }

  /// Waits, without going to sleep, for all threads of the race, which are on their way.
  private func meet() {
    let count = UInt(programs.count)
    let end = (arrivals.increment() / count + 1) * count
    wait(arrivals, for: end)
  }
  private func wait(_ word: Atomic, for value: UInt) {
    var rounds = 0
    while word.value < value {
      rounds += 1
      if rounds > 500 { sched_yield() }
    }
  }

  private func act(_ thread: Int) {
    let (world, hand, round) = (world!, hands[thread], round)
    func run() {
      if let context = contexts[thread] { return context.run { runSteps() } }
      if place == .halfInSandbox { return ContextFrame.$bound.withValue(nil) { runSteps() } }
      runSteps()
    }
    func runSteps() {
      guard let order = round.order else {
        idle(round.delays[thread])
        for step in programs[thread] { step.run(world, hand) }
        return
      }
      let turns = order.indices.filter { order[$0] == thread }
      for (step, number) in zip(programs[thread], turns) {
        wait(turn, for: UInt(number))
        step.run(world, hand)
        turn.increment()
      }
    }
    Hand.$current.withValue(hand) { run() }
  }

  // MARK: One round

  private func play() -> Outcome {
    world = World(isInSandbox: place != .outside, custom: custom, pause: round.pause)
    turn.set(bits: 0)
    let (setUp, observer) = (Hand(), Hand())
    runs = []
    hands = programs.map { _ in Hand() }
    contexts = programs.map { _ in nil }
    func runSteps(_ steps: [Step]) {
      Hand.$current.withValue(setUp) { for step in steps { step.run(world, setUp) } }
    }
    runSteps(base)
    func race() {
      runSteps(inside)
      let context = place == .outside ? nil : ResolutionContext.current
      for thread in 1..<programs.count { contexts[thread] = context }
      for _ in 1..<programs.count { start.signal() }
      meet()
      act(0)
      for _ in 1..<programs.count { end.wait() }
      Hand.$current.withValue(observer) {
        observe("then", observer)
        for host in world.hosts { host.manager.pop() }
        observe("popped", observer)
      }
    }
    switch place {
    case .outside: race()
    case .inSandbox, .halfInSandbox: withSandbox { race() }
    case .underLayer:
      withSandbox {
        withLayer {
          $0.register(name: "layered") { World.make("layer") }
        } operation: {
          race()
        }
      }
    }
    if place != .outside {
      Hand.$current.withValue(observer) { observe("outside", observer) }
    }
    defer { world.forgetAll() }
    return Outcome(setUp: setUp, threads: hands, observer: observer, runs: runs)
  }

  private func observe(_ moment: String, _ hand: Hand) {
    // What others have put into `main` outside is none of this world's.
    let first = moment == "outside" ? 1 : 0
    for shop in first..<3 where booths.isEmpty {
      for offer in Offer.allCases {
        hand.hear(
          "\(moment) \(shop) has \(offer)", [world.ask(offer, shop), world.ask(offer, shop)])
      }
      hand.hear("\(moment) \(shop) has all", world.askMany(shop))
      // A sandbox shows what other tests put into `main` outside meanwhile.
      let registered = world.shops[shop].registrations.map { "\($0.key) .\($0.scope)" }
        .filter { $0.contains("Trinket") || $0.contains("Trading") }.sorted()
      hand.hear("\(moment) \(shop) knows \(registered.joined(separator: ", "))", [])
    }
    for booth in booths {
      for host in first..<4 {
        hand.hear(
          "\(moment) \(host) has \(booth)", [world.ask(booth, host), world.ask(booth, host)])
      }
    }
    runs += world.runs.map { "\(moment) \($0)" }
  }

  private func story(_ outcome: [String], _ allowed: [[String]: [Int]]) -> String {
    var lines = ["Seed \(seed), \(place)"]
    lines += base.map { "  base: \($0.text)" } + inside.map { "  inside: \($0.text)" }
    for (thread, program) in programs.enumerated() {
      lines += program.map { "  thread \(thread): \($0.text)" }
    }
    for (other, order) in allowed.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
      lines.append("not as in order \(order):")
      let (got, wanted) = (Set(outcome), Set(other))
      lines += outcome.filter { !wanted.contains($0) }.prefix(6).map { "  got    \($0)" }
      lines += other.filter { !got.contains($0) }.prefix(6).map { "  wanted \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}
