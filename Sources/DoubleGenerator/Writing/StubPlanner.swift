/// Decides which stubs a requirement has and how it calls them.
struct StubPlanner {
  let spelling: Spelling
  let sendability: Sendability
  var model: ProtocolModel { spelling.model }

  init(_ spelling: Spelling) {
    self.spelling = spelling
    sendability = Sendability(spelling)
  }

  /// Whether the double runs a requirement outside the actor that it belongs to.
  func isOutsideActor(_ requirement: Requirement) -> Bool {
    if requirement.isStatic && model.isActor { return false }
    if model.isActor {
      if case .initializer = requirement.kind { return true }
      return requirement.isolation == .nonisolated
        || (!requirement.isOwnerActor && !requirement.isAsync)
    }
    guard let actor = model.globalActor else { return false }
    return requirement.isolation != .globalActor(actor)
  }

  /// Whether what the stub keeps has to be `Sendable`.
  ///
  /// In an actor it has to be, although the actor could keep it: no test runs there.
  private func mustBeSendable(_ requirement: Requirement) -> Bool {
    if requirement.isStatic { return true }
    if model.globalActor != nil { return isOutsideActor(requirement) }
    return model.isSendable
  }

  /// Whether a requirement passes what is not Sendable, so that it has to run where its caller is.
  ///
  /// A module with `NonisolatedNonsendingByDefault` has such ones, and its graph does not say so.
  /// If they are not, it makes no difference to a double.
  func mayStayWithCaller(_ requirement: Requirement) -> Bool {
    let hasActor = model.isActor || model.globalActor != nil
    guard requirement.isAsync, !hasActor || isOutsideActor(requirement) else { return false }
    if case .initializer = requirement.kind { return false }
    let parameters = requirement.parameters.map(\.type)
    if parameters.contains(where: { $0.attributes.contains("isolated") }) { return false }
    let generics = Set(requirement.generics.map(\.name))
    return !(parameters + [requirement.result]).allSatisfy {
      !$0.mentions(generics)
        && sendability.isSendable($0.without(["inout", "borrowing", "consuming", "@escaping"]))
    }
  }

  /// Whether the double runs a requirement on an actor, be it that of its caller.
  private func isIsolated(_ requirement: Requirement) -> Bool {
    switch requirement.isolation {
    case .nonsending, .globalActor: true
    case .nonisolated: false
    case .inherited:
      requirement.parameters.contains { $0.type.attributes.contains("isolated") }
        || (model.isActor && !isOutsideActor(requirement))
    }
  }

  func plan(_ original: Requirement, names: StubNames, index: Int) throws(ByHand) -> PlannedMember {
    guard !names.isClashing(index) else {
      throw ByHand(requirement: original, reason: "its stub would have the name of another")
    }
    let symbols = spelling.qualification.symbols
    let requirement = original.renaming(Set(model.generics.map(\.name)))
      .mapped { spelling.resolved(symbols.expanded($0)) }
    var planning = MemberPlanning(
      spelling: spelling, sendability: sendability.inside(requirement),
      mustBeSendable: mustBeSendable(requirement), isIsolated: isIsolated(requirement),
      staysWithCaller: mayStayWithCaller(requirement),
      lendsClosures: spelling.manner.lendsClosures,
      member: PlannedMember(requirement: requirement))
    switch requirement.kind {
    case .property, .subscript:
      try planning.accessors(getter: names[index], setter: names.setter(index))
    case .method, .operator, .initializer:
      try planning.function(name: names[index])
    }
    return planning.member
  }
}
