extension Registration {
  /// The properties of a registration besides its maker and scope.
  package struct Options {
    /// Whether it is a double, registered by a sandbox, a layer or a trait.
    var isDouble = false
    /// Whether `registerAllServices` or another production setup registered it.
    var isBase = false
    /// Whether a suite or preset registered it, rather than the test itself.
    var isPreset = false
    /// Whether a resolution cycle shares values too, not only class instances.
    var sharesValues = false
    /// Whether a dry run skips the factory.
    var isLeftOutOfDryRuns = false
    /// Whether it is the removal marker of a reset, below which a layer hides nothing.
    var isReset = false
    /// Whether it was resolved; nil if that is not tracked, as for all but doubles.
    ///
    /// All forms of a registration share the flag.
    var wasResolved: Atomic?
    /// For services declared as properties: the declarations for which the short path may use it, 0
    /// for none.
    var declarations: UInt8 = 0
    var entry = PropertyEntry.service
    /// The assembly that registered it, if any.
    var assembly: ObjectIdentifier?
    /// The dependencies of the factory, if known without running it.
    var dependencies: [Dependency]?
    /// For services declared as properties: the details that only those have.
    var property: PropertyDetails?

    init() {}

    init(
      isDouble: Bool, isBase: Bool, isPreset: Bool, assembly: ObjectIdentifier?,
      dependencies: [Dependency]?
    ) {
      (self.isDouble, self.isBase, self.isPreset) = (isDouble, isBase, isPreset)
      (self.assembly, self.dependencies) = (assembly, dependencies)
      if isDouble { wasResolved = Atomic() }
    }

    /// Whether it is an entry for a property besides what is registered for it.
    var isDeclaration: Bool { entry != .service }
  }
}

extension Registration {
  /// Whether it, or another form of it, was resolved; false if that is not tracked.
  var wasResolved: Bool { options.wasResolved?.isSet ?? false }

  /// Notes that a request resolved to it.
  func noteResolved() { options.wasResolved?.set(true) }
}
