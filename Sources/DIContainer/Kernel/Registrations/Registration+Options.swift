extension Registration {
  /// What is said about a registration beside its recipe and scope.
  package struct Options {
    /// Whether a sandbox, a layer or a trait put it in: a double.
    var isDouble: Bool {
      get { self[1] }
      set { self[1] = newValue }
    }
    /// Whether `registerAllServices` or another production set-up put it in.
    var isBase: Bool {
      get { self[2] }
      set { self[2] = newValue }
    }
    /// Whether a suite or preset put it in, rather than the test itself.
    var isPreset: Bool {
      get { self[4] }
      set { self[4] = newValue }
    }
    /// Whether a resolution cycle shares values too, not only instances of classes.
    var sharesValues: Bool {
      get { self[8] }
      set { self[8] = newValue }
    }
    /// Whether a dry run leaves the factory alone.
    var isLeftOutOfDryRuns: Bool {
      get { self[16] }
      set { self[16] = newValue }
    }
    /// Whether it only stands for a property's declaration: nothing was registered.
    var isDeclaration: Bool {
      get { self[32] }
      set { self[32] = newValue }
    }
    /// Whether it is to be known whether somebody asked for it: for doubles.
    var isWatched: Bool {
      get { self[64] }
      set { self[64] = newValue }
    }
    /// Whether what was said about a property was taken back, which hides what lies below it.
    var isTakenBack: Bool {
      get { self[128] }
      set { self[128] = newValue }
    }
    /// What it shares with other forms of the same registration, if there are any.
    var mark: UseMark?
    /// For services that are declared as properties: which declarations the quick way of resolving
    /// may use it for, 0 for none.
    var declarations: UInt8 = 0
    // Bits of a word: a struct of many parts is copied by calls, 80 instructions each.
    private var flags: UInt8 = 0
    // Apart, because few registrations say any of it, and all copy it.
    private var rest: Rest?

    private final class Rest {
      let content: Content
      init(_ content: Content) { self.content = content }

      struct Content {
        var assembly: ObjectIdentifier?
        var dependencies: [Dependency]?
        var factory: (any AnyFactoryRecord)?
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
      isWatched = isDouble
    }

    /// The assembly that put it in, if one did.
    var assembly: ObjectIdentifier? {
      get { rest?.content.assembly }
      set { if newValue != nil || rest != nil { say { $0.assembly = newValue } } }
    }

    /// What the factory asks for, where that is known without running it.
    var dependencies: [Dependency]? {
      get { rest?.content.dependencies }
      set { if newValue != nil || rest != nil { say { $0.dependencies = newValue } } }
    }

    /// For services that are declared as properties: what was said about them from outside.
    var factory: (any AnyFactoryRecord)? {
      get { rest?.content.factory }
      set { if newValue != nil || rest != nil { say { $0.factory = newValue } } }
    }

    private mutating func say(_ change: (inout Rest.Content) -> Void) {
      var content = rest?.content ?? Rest.Content()
      change(&content)
      rest = Rest(content)
    }
  }
}
