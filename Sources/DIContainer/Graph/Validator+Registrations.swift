extension Validator {
  // MARK: Parameters that have to be awaited

  /// Finds sync initialisers with a parameter whose service is made by an async factory.
  ///
  /// A parameter in a cycle is reported with that.
  func findAwaited() {
    let cycles = findings.filter { $0.kind == .cycle }.map { Set($0.chain) }
    for edge in graph.edges where edge.origin == .parameter && !edge.isLazy {
      let requester = nodes[edge.from].registration
      if requester.isAsync || requester.isDecoration { continue }
      if cycles.contains(where: { $0.isSuperset(of: [requester.key, edge.key]) }) { continue }
      if let error = needsAwait(edge, of: requester) { add(WiringFinding(error)) }
    }
  }

  /// Returns the error of a dependency if it leads to an async factory, through aliases and what
  /// decorations wrap.
  private func needsAwait(
    _ edge: DependencyGraph.Edge, of requester: Registration
  ) -> ResolutionError? {
    var last = ChainLink(key: edge.key, location: requester.location)
    var chain = [ChainLink(key: requester.key, location: requester.location), last]
    var next = edge.to
    var followed: Set<Int> = []
    while let place = next, followed.insert(place).inserted {
      step()
      let provider = nodes[place].registration
      if provider.isAsync {
        return ResolutionError(
          .needsAwait, key: last.key, chain: chain, at: last.location,
          registeredAt: provider.location)
      }
      if provider.isDecoration {
        // Its closure requests what it wraps.
        last = ChainLink(key: provider.key, location: provider.location)
        chain.append(last)
      } else if provider.aliasTarget == nil {
        return nil
      }
      next = nodes[place].needs.first?.to
    }
    return nil
  }

  // MARK: Conformances declared by `implements`

  func findBrokenPromises() {
    for place in nodes.indices {
      guard let target = nodes[place].implementedBy,
        !mayBe(target.type, nodes[place].key.type)
      else { continue }
      let (type, service) = (describe(nodes[place].key.type), describe(target.type))
      add(
        WiringFinding(
          .notImplemented, nodes[place].key, chain: [nodes[place].key, target],
          "`\(service)` was registered to implement `\(type)`, but does not conform to it.",
          [("registered:", "\(nodes[place].registeredAt)")],
          fix: [DiagnosisFormatter.fix(type, notImplementedBy: service)]))
    }
  }

  /// Whether an instance of a type may be one of another, as far as it can be known.
  private func mayBe(_ type: Any.Type, _ other: Any.Type) -> Bool {
    if type == other || conforms(type, to: other) { return true }
    if type is any OptionalType.Type || other is any OptionalType.Type { return true }
    // The type in an existential is known at run time only.
    if Metadata(type).isAnyExistential { return true }
    // The runtime cannot check conformance to some protocols.
    if Metadata(other).isAnyExistential { return Metadata(other).protocols == nil }
    guard other is AnyClass else { return false }
    // An instance registered as its superclass, or a structure that bridges to an object.
    return type is AnyClass ? conforms(other, to: type) : Self.bridges
  }

  /// Whether structures may bridge to objects in a cast.
  private static var bridges: Bool {
    #if canImport(ObjectiveC)
    true
    #else
    false
    #endif
  }

  // MARK: Roots that nothing can look into

  /// Finds roots that are made by closures, whose dependencies are not known.
  func findUnseen(_ roots: [Any.Type]) {
    if roots.isEmpty { return }
    for root in rootPlaces(roots) {
      let maker = nodes[nodes.target(of: root)]
      let isBlind = !maker.isKnown && maker.registration.options.rare.dependencies == nil
      if !isBlind || maker.isDouble { continue }
      add(
        WiringFinding(
          .unseenRoot, nodes[root].key, chain: [nodes[root].key],
          "What the root `\(nodes[root].key)` needs cannot be seen: a closure makes it.",
          [("registered:", "\(maker.registeredAt)")],
          fix: [
            "Run the closures in a sandbox: `validate(roots: …, dryRun: true)`.",
            "Or register an initialiser, whose parameters are known.",
          ]))
    }
  }

  // MARK: Registrations that replace others

  /// Finds live registrations that replaced another one of their container's.
  func findReplaced() {
    for node in nodes where !node.isDouble && node.elsewhere == nil {
      guard let first = node.registration.options.rare.replaced,
        // Their aliases tell them apart.
        node.registration.options.rare.earlier?.all.isEmpty != false
      else { continue }
      add(
        WiringFinding(
          .registeredTwice, node.key, severity: .warning, chain: [node.key],
          "`\(node.key)` is registered twice in \(node.container): the later registration counts.",
          [("first:", "\(first)"), ("later:", "\(node.registeredAt)")],
          fix: ["Remove one of them, or give one a name."]))
    }
  }
}
