/// How a double is written; where the usual way does not compile, there are others.
struct Manner {
  /// Whether every name gets its module's.
  var isExhaustive = false
  /// Whether stubs may run closures that do not escape.
  var lendsClosures = true
  /// Whether requirements with a default implementation are doubled too.
  var includesDefaults = false

  /// All that are tried, one after another.
  static let all = [
    Manner(), Manner(lendsClosures: false), Manner(isExhaustive: true),
    Manner(isExhaustive: true, lendsClosures: false, includesDefaults: true),
  ]
}

/// Spells what the file of one double names: its protocol, types, and the toolkit.
struct Spelling {
  let model: ProtocolModel
  let manner: Manner
  let qualification: Qualification
  private let selfType: TypeSyntax

  init(model: ProtocolModel, symbols: Symbols, answers: Answers, manner: Manner) {
    self.model = model
    self.manner = manner
    selfType = .name(model.doubleName)
    let modules = model.modules(symbols)
    qualification = Qualification(
      symbols: symbols, answers: answers, modules: modules,
      imports: Imports.lines(of: modules, model: model, symbols: symbols, isPublic: false),
      hidden: Set(model.generics.map(\.name) + model.aliases.map(\.name)).union(model.memberTypes),
      isExhaustive: manner.isExhaustive)
  }

  /// The protocol as the double's file spells it.
  var protocolName: String {
    let path = model.spelledName.split(separator: ".").map(String.init)
    let module = qualification.qualifier(path[0], of: model.module)
    return module.map { "\($0).\(model.spelledName)" } ?? model.spelledName
  }

  /// A type of the toolkit.
  func toolkit(_ name: String) -> String {
    qualification.qualifier(name, of: "DITesting").map { "\($0).\(name)" } ?? name
  }

  /// A type of the standard library.
  func standard(_ name: String) -> String {
    qualification.qualifier(name, of: "Swift").map { "\($0).\(name)" } ?? name
  }

  /// A type as it is spelled outside the protocol: `Self` and nested types have other names.
  func resolved(_ type: TypeSyntax) -> TypeSyntax {
    finished(
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
      })
  }

  /// A type with the standard library's `Void` where the name means another one.
  func finished(_ type: TypeSyntax) -> TypeSyntax {
    let void = standard("Void")
    guard void != "Void" else { return type }
    return type.mapped { part in
      guard case .tuple(let elements) = part, elements.isEmpty else { return nil }
      return .name(void, id: "s:s4Voida")
    }
  }

  /// The double's generic parameters, with what they conform to.
  var generics: [String] {
    model.generics.map { generic in
      var conformances = generic.conformances.map { resolved($0).text }
      let sendable = standard("Sendable")
      if model.isSendable, !conformances.contains(sendable) { conformances.append(sendable) }
      return conformances.isEmpty
        ? generic.name : "\(generic.name): \(conformances.joined(separator: " & "))"
    }
  }

  var conditions: [String] { model.conditions.map { $0.mapped(resolved).text }.sorted() }
}
