// The rules for live services (RULES 3): what stands in for them, and what reports them.

extension RulesModel {
  private var isStrict: Bool {
    scopes.reversed().lazy.compactMap(\.policy?.isStrict).first ?? false
  }

  /// The double that a fallback has where none is registered; what is live in spite of it is
  /// reported.
  mutating func standIn(
    for answer: Answer?, _ asked: Int, _ service: Service, _ argument: Int?
  ) -> Expected? {
    if let answer, isDouble(answer, asked) { return nil }
    for scope in scopes.reversed() {
      guard let fallback = scope.policy?.fallback, fallback.services.contains(service) else {
        continue
      }
      if let only = fallback.container, only != answer?.foundIn ?? asked { continue }
      if let kept = scope.keeper.instance(at: .fallback(service), isHeld: isHeld) { return kept }
      built += 1
      let made = Expected(
        number: built, plan: fallback.id, container: -1, argument: nil, needs: [],
        lifetime: .unique)
      scope.keeper.keep(made, at: .fallback(service))
      return made
    }
    if let answer { report("\(service)", service, of: answer.foundIn) }
    return nil
  }
  /// `type`: the service, or one of the same type.
  mutating func report(_ name: String, _ type: Service, of container: Int) {
    if isStrict, !mayBeLive(type, of: container) { reported.append(name) }
  }

  /// What counts for another name is what it stands for.
  private func isDouble(_ answer: Answer, _ asked: Int) -> Bool {
    if answer.isDouble { return true }
    guard answer.spies.isEmpty, case .alias(let other, let plan) = answer.entry else {
      return false
    }
    return self.answer(asked, namedBy: plan, other).map { isDouble($0, asked) } ?? false
  }
  /// Whether it is another name for what is not there.
  func standsForNothing(_ answer: Answer, _ asked: Int) -> Bool {
    guard case .alias(let other, _) = answer.entry else { return false }
    return self.answer(asked, other).map { standsForNothing($0, asked) } ?? true
  }
  private func mayBeLive(_ service: Service, of container: Int) -> Bool {
    scopes.compactMap(\.policy).contains { policy in
      policy.exceptedContainer == container
        || policy.exceptedType.map { $0.isTea == service.isTea && (service.isTea || $0 == service) }
          ?? false
    }
  }
}

extension Service {
  /// Whether it is of the one type that has two names.
  fileprivate var isTea: Bool { self == .tea || self == .namedTea }
}
