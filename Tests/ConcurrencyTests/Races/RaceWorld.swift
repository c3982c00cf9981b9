@testable import DIContainer
@testable import DITesting
import DICompatibility
import TestSupport

// A small world that several threads change at the same time: three containers, one of the user's
// own class, and what they register and declare.

protocol Trading: AnyObject, Sendable {}

/// Any instance: what made it, and what it wraps.
final class Trinket: Trading {
  let maker: String, inside: Trinket?

  init(_ maker: String, around inside: Trinket? = nil) {
    (self.maker, self.inside) = (maker, inside)
  }
}

/// What is registered by type.
enum Offer: CaseIterable, Sendable { case plain, named, trading }

/// What every container declares as a property.
enum Booth: CaseIterable, Sendable {
  case unique, cached, shared, graph, container, perContainer, singleton, undecided, timed, numbered
}

final class Bazaar: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension SharedContainer {
  fileprivate var unique: Factory<Trinket> { self { World.make("unique") }.unique }
  fileprivate var cached: Factory<Trinket> { self { World.make("cached") }.cached }
  fileprivate var shared: Factory<Trinket> { self { World.make("shared") }.shared }
  fileprivate var graph: Factory<Trinket> { self { World.make("graph") }.graph }
  fileprivate var container: Factory<Trinket> {
    self { World.make("container") }.scope(.container)
  }
  fileprivate var perContainer: Factory<Trinket> {
    self { World.make("perContainer") }.scope(.perContainer(.strong))
  }
  fileprivate var singleton: Factory<Trinket> { self { World.make("singleton") }.singleton }
  fileprivate var undecided: Factory<Trinket> { self { World.make("undecided") } }
  fileprivate var timed: Factory<Trinket> {
    self { World.make("timed") }.cached.timeToLive(1_000)
  }
  fileprivate var numbered: ParameterFactory<Int, Trinket> {
    self { (_: Int) in World.make("numbered") }.scopeOnParameters.cached
  }
  fileprivate func factory(_ booth: Booth) -> Factory<Trinket>? {
    switch booth {
    case .unique: unique
    case .cached: cached
    case .shared: shared
    case .graph: graph
    case .container: container
    case .perContainer: perContainer
    case .singleton: singleton
    case .undecided: undecided
    case .timed: timed
    case .numbered: nil
    }
  }
}

/// What one thread, or the observer, did and heard.
final class Hand: @unchecked Sendable {
  // Sendable: one thread uses it at a time.
  @TaskLocal static var current: Hand?

  struct Heard {
    let text: String
    let trinkets: [Trinket?]
    let decorators: [String]
  }
  private(set) var heard: [Heard] = []
  fileprivate var decorators: [String] = []
  var layers: [Layer] = []
  /// Say more about what was registered last.
  var setScope: (Scope) -> Void = { _ in }
  var implement: () -> Void = {}

  func hear(_ text: String, _ trinkets: [Trinket?]) {
    heard.append(Heard(text: text, trinkets: trinkets, decorators: decorators))
    decorators = []
  }
}

final class World: @unchecked Sendable {
  // Sendable: what changes is locked, or changes while no other thread is there.
  nonisolated(unsafe) static var current: World?

  let shops: [Resolver]
  let bazaar = Bazaar()
  let custom: Scope
  /// How long factories take.
  let pause: Int
  private let made = Lock<[Trinket]>([])

  init(isInSandbox: Bool, custom: Scope, pause: Int) {
    shops = [isInSandbox ? .main : Resolver(), Resolver(), Resolver()]
    self.custom = custom
    self.pause = pause
    World.current = self
    for host in hosts { host.singleton.reset(.scope) }
  }
  var hosts: [any SharedContainer] { shops + [bazaar] }

  static func make(_ maker: String) -> Trinket {
    let trinket = Trinket(maker)
    current!.keep(trinket)
    return trinket
  }
  private func keep(_ trinket: Trinket) {
    made.withLock { $0.append(trinket) }
    idle(pause)
  }
  /// How often each factory ran.
  var runs: [String] {
    let makers = made.withLock { $0.map(\.maker) }
    return Dictionary(grouping: makers) { $0 }.map { "\($0) ran \($1.count) times" }.sorted()
  }
  func forgetAll() {
    World.current = nil
    made.withLock { $0 = [] }
  }
}

@inline(never)
func idle(_ rounds: Int) {
  for round in 0..<rounds where round < 0 { print(round) }
}

// MARK: - What is done

extension World {
  func register(_ offer: Offer, in shop: Int, _ maker: String, line: UInt, _ hand: Hand) {
    let shop = shops[shop]
    switch offer {
    case .plain: say(shop.register(Trinket.self, line: line) { Self.make(maker) }, hand)
    case .named:
      say(shop.register(Trinket.self, name: "named", line: line) { Self.make(maker) }, hand)
    case .trading:
      say(shop.register((any Trading).self, line: line) { Self.make(maker) }, hand)
    }
  }
  private func say(_ options: ResolverOptions<Trinket>, _ hand: Hand) {
    hand.setScope = { options.scope($0) }
    hand.implement = { options.implements((any Trading).self) }
  }
  private func say(_ options: ResolverOptions<any Trading>, _ hand: Hand) {
    hand.setScope = { options.scope($0) }
    hand.implement = {}
  }
  func remove(_ offer: Offer, from shop: Int) {
    switch offer {
    case .plain: shops[shop].remove(Trinket.self)
    case .named: shops[shop].remove(Trinket.self, name: "named")
    case .trading: shops[shop].remove((any Trading).self)
    }
  }
  func decorate(_ offer: Offer, in shop: Int, _ maker: String) {
    let shop = shops[shop]
    switch offer {
    case .plain: shop.decorate(Trinket.self) { Self.wrap($0, maker) }
    case .named: shop.decorate(Trinket.self, name: "named") { Self.wrap($0, maker) }
    case .trading: shop.decorate((any Trading).self) { Self.wrap($0 as? Trinket, maker) }
    }
  }
  private static func wrap(_ live: Trinket?, _ maker: String) -> Trinket {
    let trinket = Trinket(maker, around: live)
    current!.keep(trinket)
    return trinket
  }
  func ask(_ offer: Offer, _ shop: Int?) -> Trinket? {
    let shop = shop.map { shops[$0] } ?? Resolver.root
    return switch offer {
    case .plain: shop.optional(Trinket.self)
    case .named: shop.optional(Trinket.self, name: "named")
    case .trading: shop.optional((any Trading).self) as? Trinket
    }
  }
  /// In whatever order: which of two that register at the same time comes first, nobody knows.
  func askMany(_ shop: Int) -> [Trinket?] {
    shops[shop].resolveMany((any Trading).self).compactMap { $0 as? Trinket }
      .sorted { $0.maker < $1.maker }
  }

  func ask(_ booth: Booth, _ host: Int) -> Trinket {
    hosts[host].factory(booth)?() ?? hosts[host].numbered(7)
  }
  func register(_ booth: Booth, in host: Int, _ maker: String) {
    if let factory = hosts[host].factory(booth) {
      factory.register { Self.make(maker) }
    } else {
      hosts[host].numbered.register { _ in Self.make(maker) }
    }
  }
  func setContext(_ booth: Booth, in host: Int, _ maker: String) {
    if let factory = hosts[host].factory(booth) {
      factory.onTest { Self.make(maker) }
    } else {
      hosts[host].numbered.onTest { _ in Self.make(maker) }
    }
  }
  func wrap(_ booth: Booth, in host: Int, _ maker: String) {
    if let factory = hosts[host].factory(booth) {
      factory.decorate { Self.wrap($0, maker) }
    } else {
      hosts[host].numbered.decorate { Self.wrap($0, maker) }
    }
  }
  func reset(_ booth: Booth, in host: Int, _ options: FactoryResetOptions) {
    if let factory = hosts[host].factory(booth) {
      factory.reset(options)
    } else {
      hosts[host].numbered.reset(options)
    }
  }
  func decorateAll(_ host: Int, _ name: String) {
    (hosts[host] as any ManagedContainer).decorator { _ in
      Hand.current?.decorators.append(name)
    }
  }
}
