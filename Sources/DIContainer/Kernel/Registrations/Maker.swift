// The factory of a registration and its details. Nothing here is generic over the service's type:
// the closures make, get or return an `Instance`, and are made at the registering call, in code
// that knows the type. So there is one class of registrations, not one generic class that the
// runtime instantiates for each service, which would take most of the time of registering.

/// The factory of a registration with its details.
@usableFromInline
package struct Maker {
  /// A closure that builds an instance; returns nil if the factory returned nil.
  ///
  /// All factories are stored in this form. It is composed at the registering call, in code that
  /// knows the service's type (`register` is inlinable), so that the kernel needs neither an
  /// `Optional<Service>` nor anything else that costs a metadata lookup (10–15 ns each), and a
  /// factory that captures nothing needs no context to be retained.
  @usableFromInline
  package typealias Closure = (_ resolver: Resolver, _ args: Any?) throws -> Instance?

  /// A closure that builds an instance for requests that can wait.
  typealias AsyncClosure =
    @Sendable (_ resolver: Resolver, _ args: Unchecked<Any?>) async throws -> Unchecked<Instance?>

  /// Builds an instance, whose properties are not set yet.
  let build: Closure
  private var box: Box?

  /// The parts of a maker that most registrations do without.
  struct Details {
    /// Closures run in order after each construction, before the instance is returned.
    var setters: [Setter] = []
    /// A closure run when a kept instance is forgotten.
    var onRelease: Keeper.OnRelease?
    /// For aliases: the service that the registration forwards to.
    var alias: Alias?
    /// Whether factory or injections receive the request's arguments.
    var takesArguments = false
    /// The number of those that factory and injections take by position.
    private(set) var argumentCount = 0
    /// The isolation in which `build` runs.
    var isolation = Isolation.anywhere
    /// For registrations that decorate others: how.
    var decoration: Decoration?
    /// Builds an instance for requests that can wait, if `build` alone cannot.
    var buildAsync: AsyncClosure?

    mutating func takeArguments(_ count: Int) {
      if count > 0 { takesArguments = true }
      argumentCount += count
    }
  }

  private final class Box {
    let details: Details
    init(_ details: Details) { self.details = details }
  }

  @usableFromInline
  package init(_ build: @escaping Closure) {
    self.build = build
  }

  /// Creates the maker of a registration that decorates others, and makes nothing itself.
  init(_ decoration: Decoration) {
    self = .nothing
    details.decoration = decoration
  }

  /// Returns the maker, as that of a factory that receives the request's arguments.
  @usableFromInline
  func takingArguments() -> Maker {
    var maker = self
    maker.details.takesArguments = true
    return maker
  }

  /// Returns the maker, as that of a factory that takes a number of arguments by position.
  package func taking(_ count: Int) -> Maker {
    var maker = self
    maker.details.takeArguments(count)
    return maker
  }

  /// The isolation in which `build` runs.
  var isolation: Isolation { box?.details.isolation ?? .anywhere }

  var decoration: Decoration? { box?.details.decoration }

  var details: Details {
    get { box?.details ?? Details() }
    set { box = Box(newValue) }
  }

  /// A closure that sets properties of an instance.
  struct Setter {
    /// Whether it may resolve a service that is being built: then it runs once the graph is made.
    var isOfCycle = false
    /// The services that it resolves, as far as they are known without running it.
    var needs: [Dependency] = []
    let set: (_ resolver: Resolver, _ instance: Instance, _ args: Any?) throws -> Void
  }
}

/// Converts an instance to another service; returns nil if it cannot be converted.
///
/// It is composed at the registering call, where the compiler may know that the service conforms.
@usableFromInline
typealias Conversion = (_ instance: Instance) -> Instance?

/// The target of an alias, and the conversion of its instances to the alias's service.
final class Alias {
  let target: ServiceKey
  /// The id of the registration that it was made with.
  let owner: UInt64
  let service: Any.Type
  let location: CodeLocation
  let conversion: Conversion

  init(
    of registration: Registration, as service: Any.Type, at location: CodeLocation,
    _ convert: @escaping Conversion
  ) {
    target = registration.key
    owner = registration.id
    self.service = service
    self.location = location
    self.conversion = convert
  }
}

// MARK: - Decorations

/// The change that a registration makes to the instances of another, which it wraps: of the one
/// that it replaced in its place or, if there was none, of what the search finds next.
///
/// What it makes is kept as long as the wrapped instance: in a keeper that depends on that one's.
final class Decoration {
  private let id = SerialNumber.next()
  /// The registration that it replaced in its place, or the removal marker.
  let replaced: Registration?
  /// Returns the decorated instance; nil if there is none to decorate.
  let apply: (_ wrapped: Instance?) throws -> Instance?
  /// The keepers of what it wraps, by their numbers.
  private let wrapped = Lock(PruningTable<UInt64, Weak<Keeper>>())

  init(
    over replaced: Registration?, _ apply: @escaping (_ wrapped: Instance?) throws -> Instance?
  ) {
    (self.replaced, self.apply) = (replaced, apply)
  }

  deinit {
    for keeper in wrapped.withLock({ $0.all }) { keeper.value?.forgetDecorated(by: id) }
  }

  /// Returns the keeper of what it makes of a keeper's instance.
  func keeper(over base: Keeper, of type: Any.Type) -> Keeper {
    let (own, isNew) = base.decorated(by: id, of: type)
    if isNew {
      releaseUnlocked(
        wrapped.withLock { $0.add(Weak(value: base), for: base.id, evidence: \.value) })
    }
    return own
  }
}

// MARK: - Contexts

/// The factory that a property has in a kind of context.
struct ContextFactory {
  let type: FactoryContextType
  let maker: Maker
  /// The number of the change that set it, in the numbering of registrations, and whether a test
  /// made that; of a declaration's, zero and false.
  var number: UInt64 = 0
  var isDouble = false
}

extension [ContextFactory] {
  /// Sets the factory for kinds of contexts, in place of those set before.
  mutating func set(
    _ types: [FactoryContextType], _ maker: Maker, number: UInt64 = 0, isDouble: Bool = false
  ) {
    removeAll { types.contains($0.type) }
    self += types.map { Element(type: $0, maker: maker, number: number, isDouble: isDouble) }
  }

  /// Returns these factories, with those further out for other kinds of contexts.
  func over(_ outer: Self) -> Self {
    outer.filter { other in !contains { $0.type == other.type } } + self
  }

  /// Returns the one that takes precedence among those whose context applies.
  func applying(_ current: @autoclosure () -> FactoryContext) -> Element? {
    if isEmpty { return nil }
    let current = current()
    var best: (rank: Int, context: Element)?
    for context in self {
      guard let rank = current.rank(of: context.type), rank <= best?.rank ?? rank else { continue }
      best = (rank, context)
    }
    return best?.context
  }
}

// MARK: - The forms that users write

extension Maker {
  /// A maker that makes nothing.
  static var nothing: Maker { Maker { _, _ in nil } }

  /// Returns the maker of a factory without parameters.
  @inlinable @inline(__always)
  package static func plain<Service>(_ make: @escaping () throws -> Service?) -> Maker {
    Maker { _, _ in
      guard let service = try make() else { return nil }
      return Instance(service)
    }
  }

  /// Returns the maker of a factory that resolves its dependencies from a container.
  @inlinable @inline(__always)
  package static func resolver<Service>(
    _ make: @escaping (Resolver) throws -> Service?
  ) -> Maker {
    Maker { resolver, _ in
      guard let service = try make(resolver) else { return nil }
      return Instance(service)
    }
  }
}
