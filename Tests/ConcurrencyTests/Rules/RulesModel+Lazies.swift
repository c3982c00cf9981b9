// The rule for lazy wrappers (RULES 18): whoever uses one gets what the scope around the use has,
// kept for that scope; what one of production kept outside every scope is used inside them too.

/// A lazy wrapper: what it keeps, and what scopes keep in its place.
struct LazyPlace {
  /// The scope that its owner was made in.
  let made: OpenScope?
  private var own: Expected?
  private var standIns: [(scope: OpenScope, instance: Expected)] = []

  init(made: OpenScope?) { self.made = made }

  var kept: [Expected] { standIns.map(\.instance) + (own.map { [$0] } ?? []) }

  /// What is kept for a use in a scope.
  func find(in used: OpenScope?) -> Expected? {
    for scope in used?.chain.reversed() ?? [] {
      if let found = standIns.first(where: { $0.scope === scope }) { return found.instance }
    }
    return made == nil || used == nil ? own : nil
  }
  mutating func keep(_ instance: Expected, in used: OpenScope?) {
    if let used { standIns.append((used, instance)) } else { own = instance }
  }
  /// What scopes keep goes with them.
  mutating func forget(_ scope: OpenScope) { standIns.removeAll { $0.scope === scope } }
}

extension RulesModel {
  mutating func useLazy(_ index: Int) -> Expected? {
    if let kept = lazies[index].find(in: keepingScope) { return kept }
    let made = ask(root, .tea, nil)
    if let made { lazies[index].keep(made, in: keepingScope) }
    return made
  }
}
