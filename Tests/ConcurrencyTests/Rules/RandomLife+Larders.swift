import DICompatibility
import DITesting

final class Larder: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  /// Its number, from 100 on, in the life that made it.
  var number: Int { RandomLife.current?.larders.firstIndex { $0 === self }.map { 100 + $0 } ?? -1 }
}

extension Larder {
  var jar: Factory<Ware> {
    self { self.make(.jar) }.scope(Self.scope(.jar))
      .onArg(Self.argument(.jar)) { RandomLife.make(Closure.ofContext(.jar), in: self.number) }
  }
  var tin: Factory<Ware> { expiring(self { self.make(.tin) }.scope(Self.scope(.tin)), .tin) }
  var box: Factory<Ware> { expiring(self { self.make(.box) }.scope(Self.scope(.box)), .box) }
  var parcel: ParameterFactory<Int, Ware> {
    let factory = self { (id: Int) in self.make(.parcel, id) }.scope(Self.scope(.parcel))
    return expiring(
      Self.declaration(.parcel).isByParameter ? factory.scopeOnParameters : factory, .parcel)
  }
  private func expiring<Declared: FactoryModifying>(
    _ factory: Declared, _ shelf: Shelf
  ) -> Declared {
    Self.declaration(shelf).expires ? factory.timeToLive(90) : factory
  }

  private static func declaration(_ shelf: Shelf) -> Declaration {
    RandomLife.current!.model.declarations[shelf]!
  }
  private static func scope(_ shelf: Shelf) -> Scope {
    RandomLife.current!.scope(declaration(shelf).lifetime)
  }
  private static func argument(_ shelf: Shelf) -> String {
    declaration(shelf).argument ?? "never"
  }
  private func make(_ shelf: Shelf, _ parameter: Int? = nil) -> Ware {
    RandomLife.make(Closure.ofDeclaration(shelf), parameter, in: number)
  }

  func factory(_ shelf: Shelf) -> Factory<Ware>? {
    switch shelf {
    case .jar: jar
    case .tin: tin
    case .box: box
    case .parcel: nil
    }
  }
}

extension RandomLife {
  static func make(_ plan: Int, _ argument: Int? = nil, in container: Int = -1) -> Ware {
    current!.built += 1
    return Pot(
      Facts(
        number: current!.built, plan: plan, container: container, argument: argument, needs: []))
  }

  /// Larders declare what they hold alike, in another way in each life.
  func openLarders() {
    let lifetimes: [Lifetime] = [
      .unique, .cached, .shared, .custom, .perContainer, .container,
    ]
    for shelf in Shelf.allCases {
      // What is made once and kept is kept in whatever context it is asked for again.
      let argument = shelf == .jar && chance(50) ? "sale" : nil
      let lifetime = shelf == .jar ? .unique : lifetimes[roll(lifetimes.count)]
      model.declarations[shelf] = Declaration(
        lifetime: lifetime, argument: argument, isByParameter: shelf == .parcel && chance(50),
        expires: shelf != .jar && chance(30))
      say("larders declare \(shelf), \(model.declarations[shelf]!)")
    }
    larders = [Larder(), Larder()]
  }

  func stepInLarder() {
    let place = LarderPlace(
      larder: 100 + roll(2), shelf: Shelf.allCases[roll(Shelf.allCases.count)])
    switch roll(20) {
    case 0..<10: ask(place)
    case 10..<12: register(place)
    case 12: decorate(place)
    case 13: setContext(place)
    case 14: setArgument()
    case 15: reset(place)
    case 16: resetAll(place.larder)
    case 17: push(place.larder)
    default: pop(place.larder)
    }
  }

  private func ask(_ place: LarderPlace) {
    let parameter = place.shelf == .parcel ? roll(3) : nil
    if chance(20) {
      model.minute += 1 + roll(2)
      say("it is \(model.minute) past")
    }
    let ware = ask(place, parameter)
    guard chance(20), failure == nil else { return }
    push(place.larder)
    same(ware, ask(place, parameter))
    guard chance(50) else { return }
    pop(place.larder)
    same(ware, ask(place, parameter))
  }
  private func ask(_ place: LarderPlace, _ parameter: Int?) -> Ware {
    let larder = larders[place.larder - 100]
    let time = Duration.seconds(60 * model.minute)
    let ware = ExpiryClock.$ahead.withValue(Lock(time)) {
      larder.factory(place.shelf)?() ?? larder.parcel(parameter!)
    }
    let expected = model.ask(place, parameter)
    compare("\(place.larder).\(place.shelf)(\(parameter.map { "\($0)" } ?? ""))", ware, expected)
    // The caller holds it.
    held.append(ware)
    model.held.append(expected)
    return ware
  }
  /// What is kept stays the same, with what wraps it.
  private func same(_ before: Ware, _ after: Ware) {
    if before.facts.number == after.facts.number, before !== after { fail("is wrapped anew") }
  }
  private func register(_ place: LarderPlace) {
    let closure = closure(lifetime: nil)
    say("\(place.larder) registers \(place.shelf) by \(closure.id)")
    let larder = larders[place.larder - 100]
    if let factory = larder.factory(place.shelf) {
      factory.register { Self.make(closure.id) }
    } else {
      larder.parcel.register { Self.make(closure.id, $0) }
    }
    model.register(closure, place)
  }
  /// What wraps an instance is told from it by nothing: all else stays as it was.
  private func decorate(_ place: LarderPlace) {
    say("\(place.larder) wraps \(place.shelf)")
    let larder = larders[place.larder - 100]
    if let factory = larder.factory(place.shelf) {
      factory.decorate { Wrapper($0) }
    } else {
      larder.parcel.decorate { Wrapper($0) }
    }
    model.decorate(place)
  }
  private func closure(lifetime: Lifetime?) -> Closure {
    plans += 1
    return Closure(id: plans, lifetime: lifetime, order: plans)
  }
  private func setContext(_ place: LarderPlace) {
    guard place.shelf == .jar else { return }
    let closure = closure(lifetime: nil)
    say("\(place.larder) has \(place.shelf) by \(closure.id) on sale")
    larders[place.larder - 100].jar.onArg("sale") { Self.make(closure.id) }
    model.setContext(closure, for: "sale", place)
  }
  private func setArgument() {
    if model.sandbox == nil { return }
    let argument = chance(60) ? "sale" : nil
    say("argument: \(argument ?? "none")")
    if let argument {
      FactoryContext.setArg(argument, forKey: "season")
    } else {
      FactoryContext.removeArg(forKey: "season")
    }
    model.setArgument(argument, for: "season")
  }
  private func reset(_ place: LarderPlace) {
    say("\(place.larder) resets \(place.shelf)")
    let larder = larders[place.larder - 100]
    if let factory = larder.factory(place.shelf) { factory.reset() } else { larder.parcel.reset() }
    model.resetShelves([place])
  }
  private func resetAll(_ larder: Int) {
    say("\(larder) resets all")
    larders[larder - 100].manager.reset()
    model.resetLarder(larder)
  }
  private func push(_ larder: Int) {
    say("\(larder) pushes")
    larders[larder - 100].manager.push()
    model.push(larder)
  }
  private func pop(_ larder: Int) {
    guard model.canPop(larder) else { return }
    say("\(larder) pops")
    larders[larder - 100].manager.pop()
    model.pop(larder)
  }

  /// What a layer has for the properties of all larders.
  func putDoublesForLarders(in layer: Resolver) -> [Shelf: Closure] {
    var doubles: [Shelf: Closure] = [:]
    for shelf in Shelf.allCases where chance(15) && !larders.isEmpty {
      let closure = closure(lifetime: nil)
      say("  has \(shelf) by \(closure.id) for larders")
      doubles[shelf] = closure
      func make() -> Ware { Self.make(closure.id) }
      switch shelf {
      case .jar: layer.double(\Larder.jar) { make() }
      case .tin: layer.double(\Larder.tin) { make() }
      case .box: layer.double(\Larder.box) { make() }
      case .parcel: layer.double(\Larder.parcel) { Self.make(closure.id, $0) }
      }
    }
    return doubles
  }

  /// What a layer wraps in all larders.
  func decorateLarders(in layer: Resolver) -> Set<Shelf> {
    var decorated: Set<Shelf> = []
    for shelf in Shelf.allCases where chance(15) && !larders.isEmpty {
      say("  wraps \(shelf) of larders")
      decorated.insert(shelf)
      switch shelf {
      case .jar: layer.decorate(\Larder.jar) { Wrapper($0) }
      case .tin: layer.decorate(\Larder.tin) { Wrapper($0) }
      case .box: layer.decorate(\Larder.box) { Wrapper($0) }
      case .parcel: layer.decorate(\Larder.parcel) { Wrapper($0) }
      }
    }
    return decorated
  }
}
