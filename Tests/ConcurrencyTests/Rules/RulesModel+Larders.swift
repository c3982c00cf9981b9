// The rules for services that are declared as properties of a container of one's own: who answers
// and who keeps (RULES 9, 11, 12). Such a container nests nothing, and doubles by key path reach it
// from a layer or a sandbox.

/// The properties of larders.
enum Shelf: Int, CaseIterable, Sendable {
  case jar, tin, box
  /// Takes a parameter.
  case parcel
}

/// What a closure was given for, beside a declaration: all that is known of it is its number.
struct Closure {
  let id: Int
  /// nil: the one of the declaration.
  var lifetime: Lifetime?
  /// When it was given.
  let order: Int

  /// The numbers of what a declaration says, which is not given to anybody.
  static func ofDeclaration(_ shelf: Shelf) -> Int { -1 - shelf.rawValue }
  static func ofContext(_ shelf: Shelf) -> Int { -10 - shelf.rawValue }
}

/// What is said of a property in one place: in a larder, or in a sandbox's view of it.
struct ShelfSpot {
  var registered: Closure?
  /// By argument of the process.
  var contexts: [String: Closure] = [:]
  /// What lies below is taken back, but for the declaration.
  var isReset = false
  /// What is there is wrapped, which changes nothing but that it is no live service.
  var isDecorated = false

  var isEmpty: Bool { registered == nil && contexts.isEmpty && !isReset && !isDecorated }
}

/// How a life's larders declare a property.
struct Declaration: Sendable {
  let lifetime: Lifetime
  /// The argument for which there is another closure.
  let argument: String?
  /// Whether there is an instance for each parameter.
  let isByParameter: Bool
  /// Whether what nobody has asked for in a while is forgotten.
  let expires: Bool
}

struct LarderPlace: Hashable {
  let larder: Int
  let shelf: Shelf
}

/// What `push` remembers of a larder.
struct PushedLarder {
  /// The number of the scope that it was made in.
  let scope: Int?
  let spots: [LarderPlace: ShelfSpot]
  /// By scope.
  var kept: [Int?: [ModelKeeper.Place: Expected]]
}

extension RulesModel {
  // MARK: Who answers

  /// The arguments of the process, as the sandboxes set them.
  private var arguments: [String: String] {
    scopes.reversed().lazy.compactMap(\.arguments).first ?? [:]
  }
  mutating func setArgument(_ argument: String?, for key: String) {
    var all = arguments
    all[key] = argument
    sandbox?.arguments = all
  }

  /// What the sandboxes hold, from the inside out, and what production said.
  private func said(_ place: LarderPlace) -> (doubles: [ShelfSpot], live: ShelfSpot) {
    var doubles: [ShelfSpot] = []
    for scope in scopes.reversed() {
      guard let spot = scope.shelves[place] else { continue }
      doubles.append(spot)
      if spot.isReset { return (doubles, ShelfSpot()) }
    }
    return (doubles, shelves[place] ?? ShelfSpot())
  }

  /// What was said that counts; nil: the declaration.
  ///
  /// A double wins over contexts, contexts over the definition, and what a test puts there last
  /// wins (RULES 9).
  private func answer(
    _ place: LarderPlace
  ) -> (closure: Closure, isContext: Bool, isDouble: Bool)? {
    let (doubles, live) = said(place)
    let given = Set(arguments.values)
    func context(_ spot: ShelfSpot) -> [Closure] {
      spot.contexts.filter { given.contains($0.key) }.map(\.value)
    }
    var all = doubles.flatMap { spot in
      (spot.registered.map { [($0, false)] } ?? []) + context(spot).map { ($0, true) }
    }
    all += scopes.compactMap { $0.doubles[place.shelf] }.map { ($0, false) }
    if let last = all.max(by: { $0.0.order < $1.0.order }) { return (last.0, last.1, true) }
    var contexts = live
    if let argument = declarations[place.shelf]?.argument, contexts.contexts[argument] == nil {
      contexts.contexts[argument] = Closure(id: Closure.ofContext(place.shelf), order: 0)
    }
    if let context = context(contexts).first { return (context, true, false) }
    return live.registered.map { ($0, false, false) }
  }

  mutating func ask(_ place: LarderPlace, _ parameter: Int?) -> Expected {
    let declaration = declarations[place.shelf]!
    let answer = answer(place)
    let isWrapped =
      said(place).doubles.contains(where: \.isDecorated)
      || scopes.contains { $0.decorated.contains(place.shelf) }
    if answer?.isDouble != true, !isWrapped { report("\(place.shelf)", .ware, of: place.larder) }
    let registered = answer.flatMap { $0.isContext ? nil : $0.closure }
    let lifetime = registered?.lifetime ?? declaration.lifetime
    let id = answer?.closure.id ?? Closure.ofDeclaration(place.shelf)
    let asked = lifetime == .container ? place.larder : nil
    let at = ModelKeeper.Place.shelf(
      holder(registered, place), asked: asked, declaration.isByParameter ? parameter : nil)
    func make() -> Expected {
      built += 1
      return Expected(
        number: built, plan: id, container: id < 0 ? place.larder : -1, argument: parameter,
        needs: [],
        lifetime: lifetime)
    }
    if lifetime == .unique || lifetime == .graph { return make() }
    if declaration.expires { forgetExpired(at) }
    let keeper = keepingScope?.keeper ?? keeper
    if let kept = keeper.instance(at: at, isHeld: isHeld) { return kept }
    let made = make()
    changeKeeper { $0.keep(made, at: at) }
    return made
  }
  private mutating func forgetExpired(_ place: ModelKeeper.Place) {
    let last = lastAsked.updateValue(minute, forKey: LastAsked(keepingScope?.number, place))
    if let last, minute - last > 1 { changeKeeper { $0.forget { own, _ in own == place } } }
  }
  struct LastAsked: Hashable {
    let scope: Int?, place: ModelKeeper.Place

    init(_ scope: Int?, _ place: ModelKeeper.Place) { (self.scope, self.place) = (scope, place) }
  }
  private func holder(_ registered: Closure?, _ place: LarderPlace) -> ModelKeeper.Holder {
    registered.map { .registration($0.id) } ?? .declaration(place)
  }

  // MARK: Changes

  mutating func register(_ closure: Closure, _ place: LarderPlace) {
    forgetShelf(place)
    changeShelf(place) {
      $0.registered = closure
      $0.isDecorated = false
    }
  }
  mutating func decorate(_ place: LarderPlace) {
    changeShelf(place) { $0.isDecorated = true }
  }
  mutating func setContext(_ closure: Closure, for argument: String, _ place: LarderPlace) {
    changeShelf(place) { $0.contexts[argument] = closure }
  }
  private mutating func changeShelf(_ place: LarderPlace, _ change: (inout ShelfSpot) -> Void) {
    if let sandbox {
      change(&sandbox.shelves[place, default: ShelfSpot()])
    } else {
      change(&shelves[place, default: ShelfSpot()])
    }
  }

  /// Lets go of what is kept for what stands there, as the sandbox or production sees it.
  private mutating func forgetShelf(_ place: LarderPlace) {
    let (doubles, live) = said(place)
    let holder = holder((doubles + [live]).lazy.compactMap(\.registered).first, place)
    let sandbox = sandbox
    for scope in open where sandbox == nil || scope.chain.contains(where: { $0 === sandbox }) {
      scope.keeper.forget { place, _ in place.isOf(holder) }
    }
    if sandbox == nil { keeper.forget { place, _ in place.isOf(holder) } }
  }

  /// `manager.reset()`: with what it keeps as the larder that was asked.
  mutating func resetLarder(_ larder: Int) {
    resetShelves(Shelf.allCases.map { LarderPlace(larder: larder, shelf: $0) })
    changeKeeper {
      $0.forget { place, _ in
        if case .shelf(_, let asked, _) = place { asked == larder } else { false }
      }
    }
  }
  /// `reset()` of properties.
  mutating func resetShelves(_ places: [LarderPlace]) {
    for place in places {
      forgetShelf(place)
      // Where nobody has said anything, there is nothing to take back.
      let (doubles, live) = said(place)
      let isReset = sandbox != nil && (doubles + [live]).contains { !$0.isEmpty }
      changeShelf(place) { $0 = ShelfSpot(isReset: isReset) }
    }
  }

  mutating func push(_ larder: Int) {
    let spots = (sandbox?.shelves ?? shelves).filter { $0.key.larder == larder }
    var kept: [Int?: [ModelKeeper.Place: Expected]] = [:]
    let isOfLarder = isKept
    changeKeepersOfView { scope, keeper in
      kept[scope] = keeper.kept.filter { isOfLarder($0.key, larder) }
    }
    pushed[larder, default: []].append(
      PushedLarder(scope: keepingScope?.number, spots: spots, kept: kept))
  }
  /// The scopes in the sandbox and the sandbox; where none is open, all scopes and the process.
  private mutating func changeKeepersOfView(_ change: (Int?, inout ModelKeeper) -> Void) {
    for scope in scopes.reversed() {
      change(scope.number, &scope.keeper)
      if scope.kind == .sandbox { return }
    }
    change(nil, &keeper)
  }
  /// What a scope's reset forgets does not come back with a pop.
  mutating func forgetPushed(in scope: Int?, _ lifetimes: Set<Lifetime>) {
    for (larder, pushes) in pushed {
      for index in pushes.indices {
        pushed[larder]![index].kept[scope] = pushes[index].kept[scope]?.filter {
          !lifetimes.contains($0.value.lifetime)
        }
      }
    }
  }
  /// Whether the last push was made in the present scope.
  func canPop(_ larder: Int) -> Bool {
    guard let last = pushed[larder]?.last else { return false }
    return last.scope == keepingScope?.number
  }
  /// A sandbox takes what was pushed in it along.
  mutating func forgetPushes(in scope: OpenScope) {
    if scope.kind != .sandbox { return }
    for larder in pushed.keys { pushed[larder]!.removeAll { $0.scope == scope.number } }
  }
  mutating func pop(_ larder: Int) {
    guard let last = pushed[larder]?.popLast() else { return }
    let isGone = isKept
    changeKeepersOfView { scope, keeper in
      keeper.forget { place, _ in isGone(place, larder) }
      for (place, instance) in last.kept[scope] ?? [:] { keeper.keep(instance, at: place) }
    }
    for shelf in Shelf.allCases {
      let place = LarderPlace(larder: larder, shelf: shelf)
      if let sandbox {
        sandbox.shelves[place] = last.spots[place]
      } else {
        shelves[place] = last.spots[place]
      }
    }
  }
  /// Whether a larder keeps what is there: not what a layer's double made.
  private func isKept(_ place: ModelKeeper.Place, by larder: Int) -> Bool {
    guard case .shelf(let holder, _, _) = place else { return false }
    switch holder {
    case .declaration(let place): return place.larder == larder
    case .stall: return false
    case .registration(let id):
      let spots = open.flatMap { Array($0.shelves) } + Array(shelves)
      return spots.contains { $0.key.larder == larder && $0.value.registered?.id == id }
    }
  }
}
