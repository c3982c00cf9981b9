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
    /// For services declared as properties: the requests that may take the short path to it.
    var shortPath = ShortPathUse.none
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

    /// Whether it was registered, and is no entry for a property's declaration or settings.
    var isRegistered: Bool { entry == .service }
  }
}

/// The requests by key path that may take the short path to a container's entry for a property.
enum ShortPathUse: Equatable {
  case none
  /// All requests for what was registered.
  case any
  /// The requests for a declaration that names the same scope.
  case declared(DeclaredScope)
}

extension Registration {
  /// Whether it, or another form of it, was resolved; false if that is not tracked.
  var wasResolved: Bool { options.wasResolved?.isSet ?? false }

  /// Notes that a request resolved to it.
  func noteResolved() { options.wasResolved?.set(true) }
}
