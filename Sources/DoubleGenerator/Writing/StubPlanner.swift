/// Decides which stubs a requirement has and how it calls them.
struct StubPlanner {
  let model: ProtocolModel
  let sendability: Sendability
  private let selfType: TypeSyntax
  private let qualification: Qualification

  init(model: ProtocolModel, symbols: Symbols) {
    self.model = model
    selfType = .name(model.doubleName)
    qualification = Qualification(
      symbols: symbols, modules: model.imports(symbols),
      hidden: Set(model.generics.map(\.name) + model.aliases.map(\.name)))
    let known = Sendability(symbols: symbols)
    var sendable = Set(
      model.generics.filter { generic in
        model.isSendable
          || generic.conformances.contains(where: known.isSendableExistential)
      }.map(\.name))
    if model.isSendable || model.globalActor != nil || model.isActor {
      sendable.insert(model.doubleName)
    }
    sendability = Sendability(
      symbols: symbols, sendable: sendable,
      nonSendable: Set(model.generics.map(\.name) + [model.doubleName]).subtracting(sendable))
  }

  /// The protocol as the double's file spells it.
  var protocolName: String {
    let outer = model.name.split(separator: ".").first.map(String.init) ?? ""
    let module = qualification.qualifier(outer, of: model.module)
    return module.map { "\($0).\(model.name)" } ?? model.name
  }

  /// A type of the toolkit as the double's file spells it.
  func toolkit(_ name: String) -> String {
    qualification.qualifier(name, of: "DITesting").map { "\($0).\(name)" } ?? name
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
  private func mustBeSendable(_ requirement: Requirement) -> Bool {
    if requirement.isStatic { return true }
    if model.isActor || model.globalActor != nil { return isOutsideActor(requirement) }
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
    let requirement = original.mapped { resolved(sendability.symbols.expanded($0)) }
    var planning = MemberPlanning(
      requirement, doubleName: model.doubleName, described: toolkit("Described"),
      sendability: sendability,
      mustBeSendable: mustBeSendable(requirement), isIsolated: isIsolated(requirement))
    switch requirement.kind {
    case .property, .subscript:
      try planning.accessors(getter: names[index], setter: names.setter(index))
    case .method, .operator, .initializer:
      try planning.function(name: names[index])
    }
    return planning.member
  }

  /// The type as it is spelled outside the protocol: `Self` and nested types have other names.
  func resolved(_ type: TypeSyntax) -> TypeSyntax {
    type.withExplicitConcurrency.mapped { part in
      guard case .named(let components) = part else { return nil }
      if components[0].name == "Self" {
        return components.count == 1
          ? selfType : resolved(.named(Array(components.dropFirst())))
      }
      // Of an associated type that the protocol itself binds, more is known.
      if components.count == 1, components[0].id?.hasSuffix("Qa") ?? true,
        let alias = model.aliases.first(where: { $0.name == components[0].name })
      {
        return resolved(alias.type)
      }
      let inner = components.map {
        TypeSyntax.Component(name: $0.name, id: $0.id, arguments: $0.arguments.map(resolved))
      }
      return qualification.qualified(inner)
    }
  }
}
