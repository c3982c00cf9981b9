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
  package let options: Options

  enum Path: UInt8 {
    /// Make a new instance.
    case unique
    /// One per resolution cycle.
    case graph
    /// One in `slot`.
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
  }

  init(
    id: UInt64, key: ServiceKey, scope: Scope, location: CodeLocation, path: Path, slot: AnySlot?,
    options: Options
  ) {
    self.id = id
    self.key = key
    self.scope = scope
    self.location = location
    self.path = path
    self.slot = slot
    self.options = options
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

  /// Resolves the registered service from a container and lets go of it.
  func resolveAny(_ resolver: Resolver, _ location: CodeLocation) throws {
    fatalError("every registration knows its type")
  }

  private static let lastID = Lock<UInt64>(0)

  static func nextID() -> UInt64 {
    lastID.withLock {
      $0 += 1
      return $0
    }
  }
}

/// A dependency that a registration's factory is known to have.
public struct Dependency: Sendable, Hashable, CustomStringConvertible {
  /// What is asked for.
  public let key: ServiceKey
  /// Whether the factory can do without.
  public let isOptional: Bool

  /// Creates a dependency.
  public init(_ key: ServiceKey, isOptional: Bool = false) {
    self.key = key
    self.isOptional = isOptional
  }

  /// The key, with a question mark if the factory can do without.
  public var description: String { isOptional ? "\(key)?" : "\(key)" }
}

/// The forms of closure that make an instance.
package enum Make<Service> {
  case plain(() throws -> Service?)
  case resolver((Resolver) throws -> Service?)
  case arguments((Resolver, Resolver.Args) throws -> Service?)

  @inline(__always)
  func callAsFunction(_ resolver: Resolver, _ args: Any?) throws -> Service? {
    switch self {
    case .plain(let make): try make()
    case .resolver(let make): try make(resolver)
    case .arguments(let make): try make(resolver, Resolver.Args(args))
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
    /// The request, the container asked, the arguments; the event that stands for it; whether an
    /// instance was made.
    package typealias Step = (Request, Resolver, Any?, UInt64, inout Bool) throws -> Service?
  }

  let make: Make<Service>
  package let recipe: Recipe

  init(
    id: UInt64 = AnyRegistration.nextID(), key: ServiceKey, scope: Scope, location: CodeLocation,
    recipe: Recipe, slot: AnySlot? = nil, options: Options
  ) {
    self.recipe = recipe
    self.make = recipe.make
    let isPlain = recipe.properties.isEmpty && recipe.alias == nil && !recipe.removal && !recipe.home.isOwn
    let path: Path
    let ownSlot: AnySlot?
    switch scope.kind {
    case .unique:
      (path, ownSlot) = (isPlain ? .unique : .other, nil)
    case .graph:
      (path, ownSlot) = (isPlain ? .graph : .other, nil)
    case .kept:
      (path, ownSlot) = (
        recipe.alias == nil && !recipe.removal && !recipe.home.isOwn ? .kept : .other, slot ?? Slot<Service>(scope)
      )
    case .weak, .containerAsked, .owner, .ownerWeak:
      (path, ownSlot) = (.other, slot ?? Slot<Service>(scope))
    case .site, .siteWeak:
      (path, ownSlot) = (.other, slot ?? SiteSlots.shared.slot(location, Service.self, scope))
    }
    super.init(
      id: id, key: key, scope: scope, location: location, path: path, slot: ownSlot,
      options: options)
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
