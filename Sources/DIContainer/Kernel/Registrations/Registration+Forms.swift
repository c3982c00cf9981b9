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

// MARK: - Decorations: what one wraps, and the registrations that represent it

extension Registration {
  /// The registration that this one replaced and wraps.
  private var displaced: Registration? {
    if case .registration(let displaced) = maker.decorates { displaced } else { nil }
  }

  /// The registration, and those that it replaced and wraps, outermost first.
  package var withDisplaced: some Sequence<Registration> {
    sequence(first: self, next: \.displaced)
  }

  /// The innermost of those: itself, if it wraps none.
  var innermost: Registration { displaced?.innermost ?? self }

  /// Whether registrations of the container outside the sandbox count as well.
  ///
  /// They do if the registration wraps them.
  package var isTransparent: Bool { searchesBelow != nil && displacedRemoval == nil }

  /// Whether it has this id, or replaced and wraps the registration that has it.
  func isOrDecorates(_ id: UInt64) -> Bool { withDisplaced.contains { $0.id == id } }

  /// The id below which the search for the innermost wrapped registration continues, if it does.
  var searchesBelow: UInt64? {
    if case .search(let id, _) = innermost.maker.decorates { id } else { nil }
  }

  /// The removal marker that it replaced, or that a registration wrapped by it replaced.
  var displacedRemoval: Registration? {
    if case .search(_, let removal) = innermost.maker.decorates { removal } else { nil }
  }
}
