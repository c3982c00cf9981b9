@testable import DIContainer
@testable import DITesting

/// Something that a thread does to a world.
struct Step: Sendable {
  let text: String
  enum Kind { case change, question, push }
  let kind: Kind
  let run: @Sendable (World, Hand) -> Void

  init(
    _ text: String, _ kind: Kind = .change, _ run: @escaping @Sendable (World, Hand) -> Void
  ) {
    (self.text, self.kind, self.run) = (text, kind, run)
  }
}

/// Draws random steps, most of which concern one service.
struct StepMaker {
  enum Subject: Sendable { case offer(Offer), booth(Booth) }
  var dice: Dice
  let subject: Subject
  /// Whether what concerns the whole process may be done, in a sandbox.
  let isInSandbox: Bool
  /// Whether layers may be pushed: by one thread only, or they would be popped out of order.
  var mayPush = true
  /// Those that steps have concerned.
  private(set) var booths: Set<Booth> = []
  /// Whether what comes now is done by several threads at the same time.
  var isRacing = false
  private var makers = 0

  init(_ dice: Dice, isInSandbox: Bool) {
    self.dice = dice
    self.isInSandbox = isInSandbox
    subject =
      Int.random(in: 0..<2, using: &self.dice) == 0
      ? .offer(Offer.allCases.randomElement(using: &self.dice)!)
      : .booth(Booth.allCases.randomElement(using: &self.dice)!)
  }

  mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }
  private mutating func maker(_ kind: String) -> String {
    makers += 1
    return "\(kind) \(makers)"
  }
  private mutating func scope() -> (name: String, of: @Sendable (World) -> Scope) {
    let all: [Scope] = [
      .unique, .graph, .shared, .cached, .container, .application, .singleton,
      .perContainer(.strong), .perContainer(.weak), .perRun(.strong),
    ]
    let number = roll(all.count + 1)
    return (
      number < all.count ? "\(all[number])" : "custom",
      { number < all.count ? all[number] : $0.custom }
    )
  }

  /// Something that is said of a service, or asked.
  mutating func steps(isBase: Bool = false) -> [Step] {
    switch subject {
    case .offer(let offer):
      return offerSteps(chance(85) ? offer : Offer.allCases[roll(3)], shop(isBase), isBase)
    case .booth(let booth):
      let booth = chance(85) ? booth : Booth.allCases[roll(Booth.allCases.count)]
      booths.insert(booth)
      return boothSteps(booth, chance(60) ? 3 : shop(isBase), isBase)
    }
  }
  private mutating func shop(_ isBase: Bool) -> Int {
    isBase && isInSandbox ? 1 + roll(2) : chance(60) ? 1 : roll(3)
  }

  private mutating func offerSteps(_ offer: Offer, _ shop: Int, _ isBase: Bool) -> [Step] {
    switch roll(30) {
    case 0..<9: return registration(offer, shop)
    case 9..<11: return [Step("\(shop) removes \(offer)") { w, _ in w.remove(offer, from: shop) }]
    case 11..<13:
      let spy = maker("spy")
      return [
        Step("\(shop) decorates \(offer) by \(spy)") { w, _ in w.decorate(offer, in: shop, spy) }
      ]
    case 13..<20:
      return [
        Step("\(shop) asks for \(offer)", .question) { w, h in
          h.hear("got", [w.ask(offer, shop)])
        }
      ]
    case 20:
      return [
        Step("\(shop) asks for all", .question) { w, h in
          h.hear("got all", w.askMany(shop))
        }
      ]
    case 21:
      return [
        Step("root is asked for \(offer)", .question) { w, h in
          h.hear("got", [w.ask(offer, nil)])
        }
      ]
    case 22..<24:
      let (name, scope) = scope()
      let isInSandbox = isInSandbox && !isBase
      return [
        Step(isInSandbox ? "\(name).reset()" : "custom.reset()") { w, _ in
          (isInSandbox ? scope(w) : w.custom).reset()
        }
      ]
    case 24: return [Step("\(shop) resets what it keeps") { w, _ in w.shops[shop].manager.reset() }]
    case 25:
      let (name, scope) = scope()
      return [
        Step("\(shop) resets .\(name)") { w, _ in w.shops[shop].manager.reset(scope: scope(w)) }
      ]
    case 26:
      if shop == 2 { return [] }
      return [
        Step("\(shop) adds a child") { w, _ in w.shops[shop].add(child: w.shops[shop + 1]) }
      ]
    default: return isInSandbox && !isBase ? sandboxSteps(offer, shop) : registration(offer, shop)
    }
  }
  private mutating func registration(_ offer: Offer, _ shop: Int) -> [Step] {
    let maker = maker("plan")
    let line = UInt(truncatingIfNeeded: dice.state) % 1_000_000 * 2 + 1
    var steps = [
      Step("\(shop) registers \(offer) by \(maker)") { w, h in
        w.register(offer, in: shop, maker, line: line, h)
      }
    ]
    if chance(75) {
      let (name, scope) = scope()
      steps.append(Step("says .\(name) of it") { w, h in h.setScope(scope(w)) })
    }
    if chance(20) { steps.append(Step("says what it implements") { _, h in h.implement() }) }
    return steps
  }
  private mutating func sandboxSteps(_ offer: Offer, _ shop: Int) -> [Step] {
    switch roll(4) {
    case 0: return [Step("root = \(shop)") { w, _ in Resolver.root = w.shops[shop] }]
    case 1: return [Step("Resolver.reset()") { _, _ in Resolver.reset() }]
    default:
      if !mayPush { return [] }
      let double = maker("double")
      return [
        Step("a layer with \(offer) by \(double) is pushed") { w, h in
          h.layers.append(
            Resolver.push { layer in
              switch offer {
              case .plain: layer.register(Trinket.self) { World.make(double) }
              case .named: layer.register(Trinket.self, name: "named") { World.make(double) }
              case .trading: layer.register((any Trading).self) { World.make(double) }
              }
            })
        },
        Step("it is popped") { _, h in if let layer = h.layers.popLast() { Resolver.pop(layer) } },
      ]
    }
  }

  private mutating func boothSteps(_ booth: Booth, _ host: Int, _ isBase: Bool) -> [Step] {
    func manager(
      _ text: String, _ run: @escaping @Sendable (World, ContainerManager) -> Void
    ) -> [Step] {
      [Step("\(host) \(text)") { w, _ in run(w, w.hosts[host].manager) }]
    }
    let options: [FactoryResetOptions] = [.all, .registration, .context, .scope]
    var kind = roll(34)
    // A singleton is the process's, not the registration's: it is forgotten when that has been
    // replaced, so one that is asked for just then may be made once more.
    if isRacing, booth == .singleton, !(8..<16).contains(kind), kind < 19 { kind = 8 }
    switch kind {
    case 0..<8:
      let maker = maker("plan")
      return [
        Step("\(host) registers \(booth) by \(maker)") { w, _ in
          w.register(booth, in: host, maker)
        }
      ]
    case 8..<16:
      return [
        Step("\(host) asks for \(booth)", .question) { w, h in
          h.hear("got", [w.ask(booth, host)])
        }
      ]
    case 16..<19:
      let option = options[roll(4)]
      return [
        Step("\(host) resets \(option) of \(booth)") { w, _ in w.reset(booth, in: host, option) }
      ]
    case 19:
      let spy = maker("spy")
      return [
        Step("\(host) wraps \(booth) by \(spy)") { w, _ in w.wrap(booth, in: host, spy) }
      ]
    case 20..<25:
      let maker = maker("context")
      return [
        Step("\(host) has \(booth) by \(maker) in tests") { w, _ in
          w.setContext(booth, in: host, maker)
        }
      ]
    case 25:
      return [Step("\(host) pushes", .push) { w, _ in w.hosts[host].manager.push() }]
    case 26: return manager("pops") { _, m in m.pop() }
    case 27:
      let option = options[roll(4)]
      return manager("resets \(option)") { _, m in m.reset(options: option) }
    case 28:
      let (name, scope) = scope()
      return manager("resets .\(name)") { w, m in m.reset(scope: scope(w)) }
    case 29, 30:
      let scope: Scope? = [nil, .cached, .shared][roll(3)]
      return manager("has default scope \(scope.map { "\($0)" } ?? "nil")") { _, m in
        m.defaultScope = scope
      }
    case 31:
      let name = maker("decorator")
      return [Step("\(host) decorates all by \(name)") { w, _ in w.decorateAll(host, name) }]
    case 32:
      return host > 1
        ? []
        : [Step("\(host) adds a child") { w, _ in w.shops[host].add(child: w.shops[host + 1]) }]
    default:
      if !isInSandbox || isBase { return [] }
      return [Step("cached is reset") { _, _ in Scope.cached.reset() }]
    }
  }
}
