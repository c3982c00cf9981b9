internal import DIPrimitives

// A registration is immutable, but for the mark that somebody asked for it. What changes it
// afterwards (`.scope`, `.resolveProperties`, …) makes a new one that takes the old one's place in
// its container, so that readers never see a half-changed one and need no lock.

/// How a service is made, and how long an instance is kept.
package final class Registration {
  // See UseMark.swift. Changed by its address only; it has to stay the first property of a class
  // that has no superclass.
  private let use: UInt
  // What usual requests look at comes next, in one cache line.
  package let id: UInt64
  /// What a request for it takes; looked at first.
  let path: Path
  /// How instances look in memory.
  let form: InstanceForm
  /// The slot's word, to be read without touching the slot; never read if there is none.
  let keptAt: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  let recipe: Recipe
  let size: Int
  package let key: ServiceKey
  let scope: Scope
  let location: CodeLocation
  /// Where the kept instance lives outside every context; nil for scopes that keep none here.
  let slot: Slot?
  let options: Options
  /// Makes an instance; properties are not set yet.
  var build: Build { recipe.build }
  /// What it stands for, if it is an alias made by `implements`.
  let alias: Alias?
  /// Whether it stands for "taken away": it hides what lies below it.
  let isRemoval: Bool
  /// Whether new instances have properties set by the registration.
  let setsProperties: Bool

  enum Path: UInt8 {
    /// Make a new instance.
    case unique
    /// One per resolution cycle.
    case graph
    /// One in `slot`, where the container that is asked is the one that owns the registration.
    case kept
    /// One in `slot`, which is made where its factory runs: for requests that can wait.
    case awaited
    /// Whatever answers for another key.
    case alias
    /// Anything that the slow path looks into.
    case other
  }

  /// Creates a registration, which is not stored yet.
  ///
  /// - Parameters:
  ///   - id: Its identity; a new one unless given.
  ///   - key: What it is found by; instances are of the key's type.
  ///   - scope: How long an instance is kept.
  ///   - location: Where it was made.
  ///   - recipe: What makes instances of the key's type.
  ///   - slot: Where an instance is kept; a place of its own unless given.
  ///   - options: What else was said.
  init(
    id: UInt64 = Registration.nextID(), key: consuming ServiceKey, scope: consuming Scope,
    location: CodeLocation, recipe: consuming Recipe, slot: consuming Slot? = nil,
    options: consuming Options
  ) {
    use = options.mark.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    // First what needs to look at the parts, then each part is moved to its place: otherwise each
    // reference is counted twice here.
    let kept = Self.slot(scope, key.type, location, recipe, given: slot)
    if recipe.isPlain {
      (alias, isRemoval, setsProperties) = (nil, false, false)
      path = Self.plainPath(scope)
    } else {
      let details = recipe.details
      alias = details.alias
      isRemoval = details.isRemoval
      setsProperties = !details.properties.isEmpty
      path = Self.path(scope, details)
    }
    (form, size) = InstanceForm.formAndSize(key.type)
    keptAt = kept?.word ?? di_nothing_kept_word()
    self.slot = consume kept
    self.id = id
    self.key = consume key
    self.scope = consume scope
    self.location = location
    self.recipe = consume recipe
    self.options = consume options
  }

  /// The same with another scope: the one thing that most registrations change.
  ///
  /// Apart, because copying part by part counts each reference once, not five times.
  init(_ old: Registration, scope: consuming Scope) {
    let options = old.optionsOfOtherForm
    use = options.mark.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    id = old.id
    form = old.form
    size = old.size
    recipe = old.recipe
    key = old.key
    location = old.location
    self.options = consume options
    alias = old.alias
    isRemoval = old.isRemoval
    setsProperties = old.setsProperties
    path = old.recipe.isPlain ? Self.plainPath(scope) : Self.path(scope, old.recipe.details)
    let kept = Self.slot(scope, old.key.type, old.location, old.recipe)
    keptAt = kept?.word ?? di_nothing_kept_word()
    slot = consume kept
    self.scope = consume scope
  }

  deinit { dropMark() }

  private static func slot(
    _ scope: Scope, _ type: Any.Type, _ location: CodeLocation, _ recipe: Recipe,
    given slot: Slot? = nil
  ) -> Slot? {
    switch scope.kind {
    case .unique, .graph: return nil
    case .kept, .weak, .containerAsked, .owner, .ownerWeak: return slot ?? Slot(scope, type)
    case .site, .siteWeak:
      // A line that decorates is no site of the service: it may do so several times, for several.
      if !recipe.isPlain, recipe.details.home.isUnder { return slot ?? Slot(scope, type) }
      return slot ?? SiteSlots.shared.slot(location, type, scope)
    }
  }

  private static func plainPath(_ scope: Scope) -> Path {
    switch scope.kind {
    case .unique: .unique
    case .graph: .graph
    default: .kept
    }
  }

  private static func path(_ scope: Scope, _ details: Recipe.Details) -> Path {
    if details.alias != nil { return .alias }
    if details.isRemoval || details.home.isUnder { return .other }
    let path = plainPath(scope)
    if details.home.isOwn { return path == .kept ? .awaited : .other }
    return path != .kept && !details.properties.isEmpty ? .other : path
  }

  static func nextID() -> UInt64 { UInt64(di_next_registration()) }

  /// A registration like this one but for what `change` changes.
  func changed(
    options: Options? = nil, _ change: ((inout Recipe.Details) -> Void)? = nil
  ) -> Registration {
    var recipe = recipe
    if let change { change(&recipe.details) }
    return Registration(
      id: id, key: key, scope: scope, location: location, recipe: recipe,
      options: options ?? optionsOfOtherForm)
  }

  /// A marker that hides what is registered below it.
  static func removal(
    _ key: ServiceKey, at location: CodeLocation, options: Options = Options()
  ) -> Registration {
    var recipe = Recipe { _, _, _ in false }
    recipe.details.isRemoval = true
    return Registration(
      key: key, scope: .unique, location: location, recipe: recipe, options: options)
  }

  /// A marker in its place that hides what lies below it, but not what start-up code puts there
  /// again.
  var resetMarker: Registration {
    var options = Options()
    options.isBase = true
    return Self.removal(key, at: location, options: options)
  }

  /// The key that it stands for, if it is an alias made by `implements`.
  var aliasTarget: ServiceKey? { alias?.target }

  /// Where its factory runs.
  var home: Home { recipe.isPlain ? .anywhere : recipe.details.home }
}

// MARK: - Instances in memory

extension Registration {
  /// What tears a kept instance down, in the context that keeps it.
  func onRelease(in keeper: ContextFrame?) -> Slot.OnRelease? {
    guard let tearDown = recipe.details.onRelease else { return nil }
    guard let keeper else {
      return { instance in ContextFrame.$bound.withValue(nil) { tearDown(instance) } }
    }
    return { [weak keeper] instance in
      ContextFrame.$bound.withValue(keeper) { tearDown(instance) }
    }
  }

  /// Sets properties of a new instance, which is gone if that fails.
  ///
  /// - Returns: The blocks from the first of a circle on, if these are to be put off.
  func setProperties(
    of memory: UnsafeMutableRawPointer, _ asked: Resolver, _ args: UnsafePointer<Any>?,
    puttingOffCircles: Bool
  ) throws -> ArraySlice<Recipe.PropertyBlock> {
    let blocks = recipe.details.properties
    let putOff = puttingOffCircles ? blocks.firstIndex(where: \.isOfCircle) : nil
    do {
      for block in blocks[..<(putOff ?? blocks.count)] { try block.set(asked, memory, args) }
    } catch {
      destroy(memory)
      throw error
    }
    return blocks[(putOff ?? blocks.count)...]
  }

  /// Destroys an instance in memory.
  func destroy(_ memory: UnsafeMutableRawPointer) {
    func destroy<Service>(_ type: Service.Type) {
      memory.assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    destroy(key.type)
  }

  /// Calls a closure with memory that holds a copy of the instance in a box.
  func withCopy(of box: AnyBox, _ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    func run<Service>(
      _ type: Service.Type, _ body: (UnsafeMutableRawPointer) throws -> Void
    ) rethrows {
      try withUnsafeTemporaryAllocation(of: type, capacity: 1) { memory in
        let memory = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
        guard box.copy(to: memory) else { return }
        defer { destroy(memory) }
        try body(memory)
      }
    }
    try run(key.type, body)
  }

  func asAny(_ memory: UnsafeMutableRawPointer) -> Any {
    func load<Service>(_ type: Service.Type) -> Any { memory.load(as: type) }
    return load(key.type)
  }

  /// A box around the instance if a resolution cycle shares it although its form says nothing.
  func box(_ memory: UnsafeMutableRawPointer, values: Bool) -> AnyBox? {
    func box<Service>(_ type: Service.Type) -> AnyBox? {
      let service = memory.assumingMemoryBound(to: type).pointee
      guard values || classInstance(service) != nil else { return nil }
      return StrongBox(service)
    }
    return box(key.type)
  }

  /// Shares a new instance with the rest of the resolution cycle, if it is of a class or `values`
  /// are shared too.
  @inline(__always)
  func share(
    _ memory: UnsafeMutableRawPointer, _ scope: UnsafeMutableRawPointer?,
    _ thread: UnsafeMutablePointer<di_thread>, values: Bool
  ) {
    if let object = form.object(in: memory) {
      GraphArena.add(object, from: memory, size: size, id, scope, thread)
    } else if form != .existential || values, let box = box(memory, values: values) {
      GraphArena.add(box, id, scope, thread)
    }
  }
}

// MARK: - Requests for whatever type

extension Registration {
  /// Makes or finds an instance for a request that can wait; see `AsyncProduce`.
  nonisolated(nonsending) func produce(
    _ request: AsyncRequest
  ) async throws -> (service: Unchecked<Any>?, wasCreated: Bool) {
    nonisolated(nonsending) func produce<Service>(
      _ type: Service.Type
    ) async throws -> (service: Unchecked<Any>?, wasCreated: Bool) {
      let made = try await AsyncProduce<Service>(registration: self, request: request).run()
      return (made.service.map { Unchecked($0) }, made.wasCreated)
    }
    return try await produce(key.type)
  }

  /// Resolves the registered service, wherever its factory runs, and lets go of it.
  nonisolated(nonsending) func resolveAnyLater(
    _ resolver: Resolver, _ location: CodeLocation
  ) async throws {
    nonisolated(nonsending) func resolve<Service>(_ type: Service.Type) async throws {
      let request = Request(type, name: key.name, property: key.property, location: location)
      _ = try await AsyncEngine.need(
        request, args: nil, asked: resolver, isPatient: false, as: type)
    }
    try await resolve(key.type)
  }

  /// Resolves the registered service from a container and lets go of it.
  func resolveAny(_ resolver: Resolver, _ location: CodeLocation) throws {
    func resolve<Service>(_ type: Service.Type) throws {
      let request = Request(type, name: key.name, property: key.property, location: location)
      _ = try Engine.need(request, args: nil, asked: resolver, as: type)
    }
    try resolve(key.type)
  }
}
