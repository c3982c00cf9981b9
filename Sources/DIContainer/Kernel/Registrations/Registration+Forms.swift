// The forms of a registration. A registration is immutable: what is said of it later makes another
// form, which takes its place in the registry.
//
// | form | id | keeper | for |
// |---|---|---|---|
// | `changed` | the same | another | options of the factory: what was kept is dropped |
// | `otherForm` | the same | the same | what does not change instances |
// | `inScope` | the same | another | a property in another scope |
//
// Where a scope's keeper belongs to a site or a singleton, "another" is the same one again.

extension Registration {
  /// Returns a changed form, which keeps instances of its own.
  func changed(
    scope: Scope? = nil, _ change: ((inout Maker.Details) -> Void)? = nil,
    options changeOptions: (inout Options) -> Void = { _ in }
  ) -> Registration {
    var (maker, options) = (maker, options)
    if let change { change(&maker.details) }
    changeOptions(&options)
    return Registration(
      id: id, key: key, scope: scope ?? self.scope, location: location, maker: maker,
      options: options)
  }

  /// Returns another form of it, for which the same instances are kept.
  func otherForm(_ change: (inout Options) -> Void) -> Registration {
    var options = options
    change(&options)
    return Registration(
      id: id, key: key, scope: scope, location: location, maker: maker, keeper: ownKeeper,
      ofSite: ofSite, options: options)
  }

  /// Returns a form of a property's registration with instances of its own, in a scope.
  func inScope(_ scope: Scope, of core: ContainerCore) -> Registration {
    Registration(
      id: id, key: key, scope: scope, location: location, maker: maker, options: options,
      ofPropertyIn: core)
  }
}

// MARK: - What a decoration wraps in its place

extension Registration {
  /// The registration that this one replaced and wraps.
  var wrapped: Registration? {
    maker.decoration?.replaced.flatMap { $0.isRemoval ? nil : $0 }
  }

  /// The registration, and those that it replaced and wraps, outermost first.
  package var withWrapped: some Sequence<Registration> {
    sequence(first: self, next: \.wrapped)
  }

  /// The innermost of those: itself, if it wraps none.
  var innermost: Registration { wrapped?.innermost ?? self }

  /// Whether it has this id, or replaced and wraps the registration that has it.
  package func isOrDecorates(_ id: UInt64) -> Bool { withWrapped.contains { $0.id == id } }

  /// Whether it wraps what the search finds next.
  var searchesOn: Bool { innermost.isDecoration }

  /// Whether registrations of the container outside the sandbox count as well.
  ///
  /// They do if the registration wraps them.
  package var isTransparent: Bool { searchesOn && wrappedRemoval == nil }

  /// The removal marker that it replaced, or that a registration wrapped by it replaced.
  var wrappedRemoval: Registration? { innermost.maker.decoration?.replaced }
}
