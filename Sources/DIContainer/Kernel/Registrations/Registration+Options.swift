extension Registration {
  /// The properties of a registration besides its recipe and scope.
  package struct Options {
    /// Whether it is a double, registered by a sandbox, a layer or a trait.
    var isDouble: Bool {
      get { self[1] }
      set { self[1] = newValue }
    }
    /// Whether `registerAllServices` or another production setup registered it.
    var isBase: Bool {
      get { self[2] }
      set { self[2] = newValue }
    }
    /// Whether a suite or preset registered it, rather than the test itself.
    var isPreset: Bool {
      get { self[4] }
      set { self[4] = newValue }
    }
    /// Whether a resolution cycle shares values too, not only class instances.
    var sharesValues: Bool {
      get { self[8] }
      set { self[8] = newValue }
    }
    /// Whether a dry run skips the factory.
    var isLeftOutOfDryRuns: Bool {
      get { self[16] }
      set { self[16] = newValue }
    }
    /// Whether it is an entry for a property besides what is registered for it.
    var isDeclaration: Bool { entry != .service }
    /// Whether it is the removal marker of a reset, below which a layer hides nothing.
    var isReset: Bool {
      get { self[128] }
      set { self[128] = newValue }
    }
    /// Whether it was resolved; nil if that is not tracked, as for all but doubles.
    ///
    /// All forms of a registration share the flag.
    var wasResolved: Atomic?
    /// For services declared as properties: the declarations for which the quick path may use it, 0
    /// for none.
    var declarations: UInt8 = 0
    var entry = PropertyEntry.service
    // Bits of a word: a struct of many parts is copied by calls, 80 instructions each.
    private var flags: UInt8 = 0
    // Separate, because few registrations have any of it, and all copy it.
    private var rest: Rest?

    private final class Rest {
      let content: Content
      init(_ content: Content) { self.content = content }

      struct Content {
        var assembly: ObjectIdentifier?
        var dependencies: [Dependency]?
        var property: PropertyDetails?
      }
    }

    private subscript(flag: UInt8) -> Bool {
      @inline(__always) get { flags & flag != 0 }
      @inline(__always) set { flags = newValue ? flags | flag : flags & ~flag }
    }

    init() {}

    @inline(__always)
    init(
      isDouble: Bool, isBase: Bool, isPreset: Bool, assembly: ObjectIdentifier?,
      dependencies: [Dependency]?
    ) {
      rest =
        assembly == nil && dependencies == nil
        ? nil : Rest(Rest.Content(assembly: assembly, dependencies: dependencies))
      self.isDouble = isDouble
      self.isBase = isBase
      self.isPreset = isPreset
      if isDouble { wasResolved = Atomic() }
    }

    /// The assembly that registered it, if any.
    var assembly: ObjectIdentifier? {
      get { rest?.content.assembly }
      set { if newValue != nil || rest != nil { say { $0.assembly = newValue } } }
    }

    /// The dependencies of the factory, if known without running it.
    var dependencies: [Dependency]? {
      get { rest?.content.dependencies }
      set { if newValue != nil || rest != nil { say { $0.dependencies = newValue } } }
    }

    /// For services declared as properties: the details that only those have.
    var property: PropertyDetails? {
      get { rest?.content.property }
      set { if newValue != nil || rest != nil { say { $0.property = newValue } } }
    }

    private mutating func say(_ change: (inout Rest.Content) -> Void) {
      var content = rest?.content ?? Rest.Content()
      change(&content)
      rest = Rest(content)
    }
  }
}

extension Registration {
  /// Whether it, or another form of it, was resolved; false if that is not tracked.
  var wasResolved: Bool { options.wasResolved?.isSet ?? false }

  /// Notes that a request resolved to it.
  func noteResolved() { options.wasResolved?.set(true) }
}
