import DIContainer
import DITesting

/// Containers whose services need each other at random, right or wrong.
///
/// Here: how they are registered; RandomWiring+Questions.swift asks for them.
final class RandomWiring: @unchecked Sendable {
  // Sendable: factories use it, which one thread runs at a time.
  enum Form: CaseIterable { case plain, optional, lazy, weakLazy }
  struct Need {
    let good: Goods
    let form: Form
  }

  private(set) var log: [String] = []
  private(set) var containers: [Resolver] = []
  /// How often factories ran.
  private(set) var runs = 0
  /// Whether some factory traps where it finds nothing.
  private(set) var mayTrap = false
  /// A thread that has trapped in a dry run is there for good, so few wirings do.
  private let traps: Bool
  /// How often in a hundred there is something that is seen by running it only.
  private let closures: Int
  private let properties: Int
  /// Whether nothing is missing, and little in a circle.
  private let isWhole: Bool
  /// Whether what is found depends on who asks first: what sets properties may ask for its own.
  private(set) var setsProperties = false
  /// The lines of code, as far as anybody can tell, whose needs are known without running them.
  private(set) var knownLines: Set<UInt> = []
  private(set) var decorated: Set<ServiceKey> = []
  let custom: Scope = Scope.cache("custom")
  private let seed: UInt64
  private var plans: UInt = 0
  private var dice: Dice

  var shop: Resolver { containers[0] }

  init(seed: UInt64) {
    self.seed = seed
    dice = Dice(state: seed)
    traps = seed % 20 == 0
    closures = [0, 15, 40, 90][Int(seed % 4)]
    isWhole = seed % 5 < 3
    properties = seed % 7 == 0 ? 10 : 0
  }

  /// Registers what production has.
  func build() {
    for _ in 0..<3 { containers.append(Resolver()) }
    if chance(70) { add(1, to: 0) }
    if chance(70) { add(2, to: chance(50) ? 0 : 1) }
    let density = isWhole ? 100 : 25 + roll(70)
    for container in 0..<3 {
      for good in Goods.allCases where chance(container == 0 ? density : density / 3) {
        register(good, in: container)
      }
    }
    for good in Goods.allCases where chance(isWhole ? 0 : 5) { remove(good, from: roll(3)) }
  }

  /// Registers what a test has in their place.
  func putDoubles(_ place: Resolver? = nil) {
    for good in Goods.allCases {
      if chance(20) { register(good, in: roll(3), place) }
      if chance(isWhole ? 1 : 5) { remove(good, from: roll(3), place) }
      if chance(10) { decorate(good, in: roll(3), place) }
    }
  }

  private func add(_ child: Int, to container: Int) {
    say("\(container) adds child \(child)")
    containers[container].add(child: containers[child])
  }
  private func remove(_ good: Goods, from container: Int, _ place: Resolver? = nil) {
    say("\(place == nil ? "\(container)" : "layer") removes \(good)")
    let place = place ?? containers[container]
    func remove<Known>(_ type: Known.Type) { place.remove(type, name: good.name) }
    remove(good.type)
  }
  private func decorate(_ good: Goods, in container: Int, _ place: Resolver?) {
    say("\(place == nil ? "\(container)" : "layer") decorates \(good)")
    let place = place ?? containers[container]
    decorated.insert(ServiceKey(good.type, name: good.name))
    func decorate<Known>(_ type: Known.Type) {
      place.decorate(type, name: good.name) { live in
        self.runs += 1
        return good.make([live]) as! Known
      }
    }
    decorate(good.type)
  }

  private func register(_ good: Goods, in container: Int, _ place: Resolver? = nil) {
    plans += 1
    let scope = scopes[roll(scopes.count)]
    let isClosure = chance(closures)
    let needs = (0..<[0, 1, 1, 2][roll(4)]).map { _ in need(ofClosure: isClosure, for: good) }
    say(
      "\(place == nil ? "\(container)" : "layer") registers \(good) .\(scope), line \(plans), "
        + "\(isClosure ? "closure" : "init") of \(needs.map { "\($0.form) \($0.good)" })")
    var options = Registering(
      wiring: self, good: good, line: plans, in: place ?? containers[container])
    let aliases = good.mayStandFor.filter { _ in chance(20) }
    if !aliases.isEmpty { log[log.count - 1] += ", also \(aliases)" }
    if !isClosure { knownLines.insert(plans) }
    options.aliases = aliases
    options.scope = scope
    if chance(properties) {
      setsProperties = true
      options.property = need(ofClosure: true, for: good)
      knownLines.remove(plans)
      log[log.count - 1] += ", property \(options.property!)"
    }
    if isClosure {
      let traps = !needs.isEmpty && chance(40) && self.traps
      if traps { mayTrap = true }
      options.registerClosure(needs, traps: traps)
    } else {
      options.registerInitialiser(needs)
    }
  }

  private func need(ofClosure isClosure: Bool, for good: Goods) -> Need {
    // Mostly what comes later in the list, so that not everything is a circle.
    let all = Goods.allCases.filter { isClosure || $0.name == nil }
    let later = all.filter { $0.rawValue > good.rawValue }
    let from = chance(isWhole ? 3 : 12) || later.isEmpty ? all : later
    let forms: [Form] = [.plain, .plain, .plain, .optional, isClosure ? .plain : .lazy, .weakLazy]
    let form = isClosure ? forms[roll(5)] : forms[roll(6)]
    return Need(good: from[roll(from.count)], form: form)
  }

  func made(_ good: Goods, _ parts: [Any?]) -> Good {
    runs += 1
    return good.make(parts)
  }

  // Sites are the process's.
  var column: UInt { UInt(seed) }

  private var scopes: [Scope] {
    [
      .unique, .unique, .graph, .graph, .shared, .cached, .application, .singleton, custom,
      .container, .perContainer(.strong), .perContainer(.weak), .single, .perRun(.strong),
    ]
  }

  // MARK: Chance

  func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  func chance(_ percent: Int) -> Bool { roll(100) < percent }
  func say(_ text: String) { log.append(text) }
}

// MARK: - What there is

protocol Hot: AnyObject {}
protocol Cold: AnyObject {}

class Good: Hot, Cold {
  let parts: [Any?]
  required init(_ parts: [Any?]) { self.parts = parts }
}
final class Rye: Good {}
final class Oat: Good {}
final class Nut: Good {}
final class Fig: Good {}
final class Box<Content>: Good {}

/// What can be registered and asked for.
enum Goods: Int, CaseIterable, Sendable {
  case hot, rye, cold, oat, namedRye, nut, boxes, oddOat, fig

  var name: Resolver.Name? {
    switch self {
    case .namedRye: "named"
    case .oddOat: "a \"b\"\n[c] {#1}; 🍞 \\ <br/> \"\u{301} \r\n"
    default: nil
    }
  }
  var type: Any.Type {
    switch self {
    case .hot: (any Hot).self
    case .cold: (any Cold).self
    case .rye, .namedRye: Rye.self
    case .oat, .oddOat: Oat.self
    case .nut: Nut.self
    case .fig: Fig.self
    case .boxes: Box<[String: (any Hot)?]>.self
    }
  }
  func make(_ parts: [Any?]) -> Good {
    switch self {
    case .hot, .rye, .namedRye: Rye(parts)
    case .cold, .oat, .oddOat: Oat(parts)
    case .nut: Nut(parts)
    case .fig: Fig(parts)
    case .boxes: Box<[String: (any Hot)?]>(parts)
    }
  }
  var mayStandFor: [Goods] {
    switch self {
    case .hot: [.cold]
    case .cold: []
    default: [.hot, .cold]
    }
  }
}
