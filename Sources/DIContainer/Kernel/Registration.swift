internal import DIPrimitives

// A registration is immutable. What changes it afterwards (`.scope`, `.resolveProperties`, …)
// makes a new one that takes the old one's place in its container, so that readers never see a
// half-changed one and need no lock.

/// A registration of whatever service type.
package class AnyRegistration {
  package let id: UInt64
  package let key: ServiceKey
  package let scope: Scope
  package let location: CodeLocation
  /// What a request for it takes; looked at first, before any virtual call.
  let path: Path
  /// Where the kept instance lives outside every context; nil for scopes that keep none here.
  let slot: AnySlot?
  /// The slot's word, to be read without touching the slot; never read if there is none.
  let keptAt: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  package let options: Options
  /// Set once a double was asked for.
  let usage: Atomic?
  /// Makes an instance; properties are not set yet.
  let build: Build
  let isAlias: Bool
  /// How instances look in memory.
  let form: InstanceForm
  let size: Int

  enum Path: UInt8 {
    /// Make a new instance.
    case unique
    /// One per resolution cycle.
    case graph
    /// One in `slot`, where the container that is asked is the one that owns the registration.
    case kept
    /// Anything that the slow path looks into.
    case other
  }

  /// What does not depend on the service type.
  package struct Options {
    /// Whether a sandbox, a layer or a trait put it in: a double.
    package var isDouble = false
    /// Whether `registerAllServices` or another production set-up put it in.
    package var isBase = false
    /// The assembly that put it in, if one did.
    package var assembly: ObjectIdentifier?
    /// Set for doubles: whether a request was answered with it.
    package var usage: Atomic?
    /// Whether a suite or preset put it in, rather than the test itself.
    package var isPreset = false
    /// Whether a resolution cycle shares values too, not only instances of classes.
    package var sharesValues = false
    /// What the factory asks for, where that is known without running it.
    package var dependencies: [Dependency]?
    /// Whether a dry run leaves the factory alone.
    package var isLeftOutOfDryRuns = false
    /// For services that are declared as properties: what was said about them from outside.
    var factory: AnyFactoryRecord?
    /// For the same: which declarations the quick way of resolving may use it for, 0 for none.
    var declarations: UInt8 = 0
    /// Whether it only stands for a property's declaration: nothing was registered.
    var isDeclaration = false
  }

  init(
    id: UInt64, key: ServiceKey, scope: Scope, location: CodeLocation, path: Path, slot: AnySlot?,
    options: Options, build: @escaping Build, isAlias: Bool,
    form: InstanceForm, size: Int
  ) {
    self.id = id
    self.key = key
    self.scope = scope
    self.location = location
    self.path = path
    self.slot = slot
    keptAt = slot?.word ?? Self.nothingKept.value
    self.options = options
    usage = options.usage
    self.build = build
    self.isAlias = isAlias
    self.form = form
    self.size = size
  }

  /// Whether it stands for "taken away": it hides what lies below it.
  package var isRemoval: Bool { false }

  /// The key that it stands for, if it is an alias made by `implements`.
  package var aliasTarget: ServiceKey? { nil }

  /// Where its factory runs.
  var home: Home { .anywhere }

  /// Makes or finds an instance for a request that can wait; see `AsyncProduce`.
  nonisolated(nonsending) func produce(
    _ request: AsyncRequest
  ) async throws -> (service: Unchecked<Any>?, wasCreated: Bool) {
    fatalError("every registration knows its type")
  }

  /// A marker in its place that hides what lies below it.
  var removed: AnyRegistration { fatalError("every registration knows its type") }

  /// Resolves the registered service, wherever its factory runs, and lets go of it.
  nonisolated(nonsending) func resolveAnyLater(
    _ resolver: Resolver, _ location: CodeLocation
  ) async throws {
    fatalError("every registration knows its type")
  }

  /// Resolves the registered service from a container and lets go of it.
  func resolveAny(_ resolver: Resolver, _ location: CodeLocation) throws {
    fatalError("every registration knows its type")
  }

  // What needs the service's type, for an instance in memory:

  /// Whether new instances have properties set by the registration.
  var setsProperties: Bool { false }
  func setProperties(
    of memory: UnsafeMutableRawPointer, _ asked: Resolver, _ args: UnsafePointer<Any>?
  ) throws {}
  /// Follows the alias; `missed` if the target's factory answered nil.
  func followAlias(_ order: ProduceOrder) throws -> ResolutionEvent.Kind { .missed }
  var onRelease: AnySlot.OnRelease? { nil }
  func asAny(_ memory: UnsafeMutableRawPointer) -> Any { () }
  /// A box around the instance if a resolution cycle shares it although its form says nothing.
  func box(_ memory: UnsafeMutableRawPointer, values: Bool) -> AnyBox? { nil }

  /// Shares a new instance with the rest of the resolution cycle, if it is of a class or `values`
  /// are shared too.
  @inline(__always)
  final func share(
    _ memory: UnsafeMutableRawPointer, _ scope: UnsafeMutableRawPointer?,
    _ thread: UnsafeMutablePointer<di_thread>, values: Bool
  ) {
    if let object = form.object(in: memory) {
      GraphArena.add(object, from: memory, size: size, id, scope, thread)
    } else if form != .existential || values, let box = box(memory, values: values) {
      GraphArena.add(box, id, scope, thread)
    }
  }

  private static let nothingKept = Unchecked(
    UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1))
  private static let lastID = Atomic()

  static func nextID() -> UInt64 { UInt64(lastID.increment()) + 1 }
}

/// A dependency that a registration's factory is known to have.
public struct Dependency: Sendable, Hashable, CustomStringConvertible {
  /// What is asked for.
  public let key: ServiceKey
  /// Whether the factory can do without.
  public let isOptional: Bool
  /// Whether it is asked for later, when a lazy wrapper is first used.
  public let isLazy: Bool

  /// Creates a dependency.
  public init(_ key: ServiceKey, isOptional: Bool = false, isLazy: Bool = false) {
    self.key = key
    self.isOptional = isOptional
    self.isLazy = isLazy
  }

  /// The key, with a question mark if the factory can do without.
  public var description: String { isOptional ? "\(key)?" : "\(key)" }
}

/// Makes an instance in uninitialised memory; false if the factory answered nil.
///
/// The one form in which factories are kept. It is put together where they are registered, in
/// code that knows the service's type (`register` is inlinable), so that the kernel needs neither
/// an `Optional<Service>` nor anything else that costs a look-up of metadata (10–15 ns each), and
/// a factory that captures nothing needs no context to be retained.
@usableFromInline
package typealias Build = (
  _ memory: UnsafeMutableRawPointer, _ resolver: Resolver, _ args: UnsafePointer<Any>?
) throws -> Bool

/// A closure that makes an instance, in the forms that users write it.
@usableFromInline
package struct Make<Service> {
  @usableFromInline let build: Build

  @inlinable @inline(__always)
  init(_ build: @escaping Build) {
    self.build = build
  }

  /// A factory that needs nothing.
  @inlinable @inline(__always)
  package static func plain(_ make: @escaping () throws -> Service?) -> Self {
    Self { memory, _, _ in
      guard let service = try make() else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }

  /// A factory that asks a container for what it needs.
  @inlinable @inline(__always)
  package static func resolver(_ make: @escaping (Resolver) throws -> Service?) -> Self {
    Self { memory, resolver, _ in
      guard let service = try make(resolver) else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }

  /// A factory that takes the request's arguments.
  @inlinable @inline(__always)
  package static func arguments(
    _ make: @escaping (Resolver, Resolver.Args) throws -> Service?
  ) -> Self {
    Self { memory, resolver, args in
      guard let service = try make(resolver, Resolver.Args(args?.pointee)) else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }
}

/// A registration that makes instances of `Service`, or stands for one that does.
package final class Registration<Service>: AnyRegistration {
  package typealias Properties = (Resolver, Service, Resolver.Args) throws -> Void

  package struct Recipe {
    package var make: Make<Service>
    /// Run in order after each construction, before the instance is handed out.
    package var properties: [Properties] = []
    /// Run when a kept instance is forgotten.
    package var onRelease: ((Service) -> Void)?
    /// For aliases: the service this one stands for, and how its instances are seen as `Service`.
    package var alias: Alias?
    package var removal = false
    /// Where `make` runs.
    var home = Home.anywhere
    /// Makes an instance for requests that can wait, where `make` alone cannot.
    var makeAsync: AsyncMake<Service>?
    /// Whether the last waiter takes the build along when it is cancelled.
    var cancelsWithLastWaiter = false

    package init(_ make: Make<Service>) {
      self.make = make
    }
  }

  package struct Alias {
    package let target: ServiceKey
    package let resolve: Step
    package typealias Step = (ProduceOrder, inout ResolutionEvent.Kind) throws -> Service?
  }

  package let recipe: Recipe

  init(
    id: UInt64 = AnyRegistration.nextID(), key: ServiceKey, scope: Scope, location: CodeLocation,
    recipe: Recipe, slot: AnySlot? = nil, options: Options
  ) {
    self.recipe = recipe
    let isReal = recipe.alias == nil && !recipe.removal && !recipe.home.isOwn
    let path: Path
    let ownSlot: AnySlot?
    switch scope.kind {
    case .unique:
      (path, ownSlot) = (.unique, nil)
    case .graph:
      (path, ownSlot) = (.graph, nil)
    case .kept, .weak, .containerAsked, .owner, .ownerWeak:
      (path, ownSlot) = (.kept, slot ?? Slot<Service>(scope))
    case .site, .siteWeak:
      (path, ownSlot) = (.kept, slot ?? SiteSlots.shared.slot(location, Service.self, scope))
    }
    let isPlain = isReal && (path == .kept || recipe.properties.isEmpty)
    super.init(
      id: id, key: key, scope: scope, location: location, path: isPlain ? path : .other,
      slot: ownSlot, options: options, build: recipe.make.build,
      isAlias: recipe.alias != nil, form: InstanceForm(of: Service.self),
      size: MemoryLayout<Service>.size)
  }

  package override var isRemoval: Bool { recipe.removal }
  package override var aliasTarget: ServiceKey? { recipe.alias?.target }
  override var home: Home { recipe.home }

  nonisolated(nonsending) override func produce(
    _ request: AsyncRequest
  ) async throws -> (service: Unchecked<Any>?, wasCreated: Bool) {
    let made = try await AsyncProduce(registration: self, request: request).run()
    return (made.service.map { Unchecked($0) }, made.wasCreated)
  }

  override var removed: AnyRegistration { Self.removal(key, at: location) }

  override var setsProperties: Bool { !recipe.properties.isEmpty }

  override func setProperties(
    of memory: UnsafeMutableRawPointer, _ asked: Resolver, _ args: UnsafePointer<Any>?
  ) throws {
    let service = memory.assumingMemoryBound(to: Service.self)
    do {
      for properties in recipe.properties {
        try properties(asked, service.pointee, Resolver.Args(args?.pointee))
      }
    } catch {
      service.deinitialize(count: 1)
      throw error
    }
  }

  override func followAlias(_ order: ProduceOrder) throws -> ResolutionEvent.Kind {
    var outcome = ResolutionEvent.Kind.missed
    guard let service = try recipe.alias?.resolve(order, &outcome) else { return .missed }
    order.out.initializeMemory(as: Service.self, to: service)
    return outcome
  }

  override var onRelease: AnySlot.OnRelease? {
    recipe.onRelease.map { onRelease in { onRelease($0.load(as: Service.self)) } }
  }

  override func asAny(_ memory: UnsafeMutableRawPointer) -> Any {
    memory.load(as: Service.self)
  }

  override func box(_ memory: UnsafeMutableRawPointer, values: Bool) -> AnyBox? {
    let service = memory.assumingMemoryBound(to: Service.self).pointee
    guard values || classInstance(service) != nil else { return nil }
    return StrongBox(service)
  }

  nonisolated(nonsending) override func resolveAnyLater(
    _ resolver: Resolver, _ location: CodeLocation
  ) async throws {
    let request = Request(Service.self, name: key.name, property: key.property, location: location)
    _ = try await AsyncEngine.need(
      request, args: nil, asked: resolver, isPatient: false, as: Service.self)
  }

  override func resolveAny(_ resolver: Resolver, _ location: CodeLocation) throws {
    let request = Request(Service.self, name: key.name, property: key.property, location: location)
    _ = try Engine.need(request, args: nil, asked: resolver, as: Service.self)
  }

  /// A registration like this one but for what `change` changes.
  func changed(
    scope: Scope? = nil, options: Options? = nil, _ change: (inout Recipe) -> Void = { _ in }
  ) -> Registration {
    var recipe = recipe
    change(&recipe)
    return Registration(
      id: id, key: key, scope: scope ?? self.scope, location: location, recipe: recipe,
      options: options ?? self.options)
  }

  /// A marker that hides what is registered below it.
  static func removal(_ key: ServiceKey, at location: CodeLocation) -> Registration {
    var recipe = Recipe(.plain { nil })
    recipe.removal = true
    return Registration(
      key: key, scope: .unique, location: location, recipe: recipe, options: Options())
  }
}
