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
//
// The registration that represents a decoration over another one is made in Decorated.swift.

extension Registration {
  /// Returns a changed form, which keeps instances of its own.
  func changed(
    scope: Scope? = nil, options: Options? = nil,
    _ change: ((inout Maker.Details) -> Void)? = nil
  ) -> Registration {
    var maker = maker
    if let change { change(&maker.details) }
    return Registration(
      id: id, key: key, scope: scope ?? self.scope, location: location, maker: maker,
      options: options ?? self.options)
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
