// What random lives register and ask for: a few services, and the plans to make them.

/// What can be asked for; a service needs only those before it.
enum Service: Int, Sendable {
  case tea, namedTea, pot, cup
  /// A protocol that all wares conform to, and the class that all inherit from.
  case drink, ware
  /// Made for each request, and what decorations wrap.
  case tray
  /// What every container declares as a property.
  case stall
  /// A circle, closed by a property of the knot.
  case knot, bow
  /// Needs both of them.
  case ribbon

  static let allCases: [Service] = [.tea, .namedTea, .pot, .cup, .drink, .ware, .tray]
  static let ofCircle: [Service] = [.knot, .bow, .ribbon]
  static let known = allCases + [.stall] + ofCircle

  /// The services that a registration for this one may stand in for as well (`implements`).
  var mayImplement: [Service] {
    switch self {
    case .tea, .namedTea, .pot, .cup: [.drink, .ware]
    case .drink: [.ware]
    case .ware, .tray, .stall, .knot, .bow, .ribbon: []
    }
  }
}

enum Lifetime: CaseIterable, Sendable {
  case unique, graph, shared, cached, application, singleton, custom, container
  case perContainer, perContainerWeak, single, perRun, perRunWeak

  var isWeak: Bool { self == .shared || self == .perContainerWeak || self == .perRunWeak }
  /// Whether an instance is one for all containers in which the same line registers it.
  var isPerSite: Bool { self == .single || self == .perRun || self == .perRunWeak }
  /// Whether a container has a say in how long an instance is kept.
  var isContainers: Bool { !isPerSite && self != .application && self != .singleton }
}

/// A registration: what its factory asks for, and whom it asks.
struct Plan: Sendable {
  enum Asked: Sendable { case givenContainer, root, captured(Int) }
  struct Need: Sendable {
    let service: Service
    let from: Asked
    let argument: Int?
  }
  let id: Int
  let service: Service
  let lifetime: Lifetime
  /// Whether it names none, and has the one that was the default then.
  let isDefault: Bool
  /// The line of code that registers it, as far as anybody can tell.
  let site: Int
  let needs: [Need]
  /// What a property is set to that closes a circle.
  var property: Need?
}

/// Something registered in a place where others look for it.
enum Entry: Sendable {
  case plan(Plan)
  /// Another name, which the plan of this number gave its service, for whatever is registered
  /// (`implements`).
  case alias(Service, by: Int)

  var plan: Plan? { if case .plan(let plan) = self { plan } else { nil } }
  /// The service that it is another name for.
  var target: Service? { if case .alias(let service, _) = self { service } else { nil } }
}

protocol Drinkable: AnyObject, Sendable {}

/// Any instance; spies are wares too, and need what they wrap.
class Ware: Drinkable, @unchecked Sendable {
  // Sendable: all of it is immutable.
  let facts: Facts

  required init(_ facts: Facts) { self.facts = facts }
}

/// The how manyth instance, by which plan, for which container, with which argument, over what.
struct Facts {
  let number: Int, plan: Int, container: Int, argument: Int?, needs: [Ware?]
}

final class Tea: Ware, @unchecked Sendable {}
final class Pot: Ware, @unchecked Sendable {}
final class Cup: Ware, @unchecked Sendable {}
final class Tray: Ware, @unchecked Sendable {}
final class Bow: Ware, @unchecked Sendable {}
final class Ribbon: Ware, @unchecked Sendable {}

final class Knot: Ware, @unchecked Sendable {
  // Sendable: lives with circles use one task.
  /// The number of the bow that it is tied to.
  var bow: Int?
}

/// Says what it wraps, and holds it.
final class Wrapper: Ware, @unchecked Sendable {
  private let wrapped: Ware

  init(_ wrapped: Ware) {
    self.wrapped = wrapped
    RandomLife.current!.wrapped += 1
    super.init(wrapped.facts)
  }
  required init(_ facts: Facts) { fatalError("it wraps") }
}

extension Ware: CustomStringConvertible {
  var description: String {
    describe(facts.number, facts.plan, facts.container, facts.argument, facts.needs)
      + ((self as? Knot)?.bow.map { " tied to #\($0)" } ?? "")
  }
}

extension Expected: CustomStringConvertible {
  var description: String {
    describe(number, plan, container, argument, needs) + (bow.map { " tied to #\($0)" } ?? "")
  }
}

private func describe(
  _ number: Int, _ plan: Int, _ container: Int, _ argument: Int?,
  _ needs: [(any CustomStringConvertible)?]
) -> String {
  "#\(number) of \(plan) for \(container)" + (argument.map { " with \($0)" } ?? "")
    + (needs.isEmpty ? "" : " \(needs.map { $0?.description ?? "nil" })")
}

extension Plan: CustomStringConvertible {
  var description: String {
    "plan \(id): \(service) .\(lifetime), line \(site), needs "
      + "\(needs.map { "\($0.service) of \($0.from) \($0.argument.map { "\($0)" } ?? "")" })"
  }
}

/// The same numbers for the same seed, on all platforms (SplitMix64).
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
