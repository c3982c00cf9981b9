internal import DIPrimitives

extension Found {
  /// The part of a service declared as a property that the registration which serves it lacks.
  package final class Property {
    private let decorator: InstanceObserver?
    private let containerDecorator: ((Any) -> Void)?
    private let timeToLive: Double?
    private let expiry: ExpiryClock
    private let keepBy: ((Any) -> AnyHashable)?
    /// The place of the instance for the parameter, if instances are kept by it.
    private(set) var place: (id: UInt64, keeper: Keeper?)?
    private var entered: (list: ParameterSlots, entry: ParameterSlots.Entry, caches: ContextFrame?)?

    init(
      decorator: InstanceObserver?, containerDecorator: ((Any) -> Void)?, timeToLive: Double?,
      expiry: ExpiryClock, keepBy: ((Any) -> AnyHashable)?
    ) {
      self.decorator = decorator
      self.containerDecorator = containerDecorator
      self.timeToLive = timeToLive
      self.expiry = expiry
      self.keepBy = keepBy
    }

    /// Finds the place of the instance for a parameter, which the request uses until `leave`.
    func enter(
      _ registration: Registration, _ args: UnsafePointer<Any>?, _ frame: ContextFrame?
    ) {
      guard let keepBy, let args, let list = registration.options.property?.parameters else {
        return
      }
      let caches = frame?.cacheFrame(for: registration.scope)
      let parameter = keepBy(args.pointee)
      if registration.slot == nil {
        let entry = list.ofCycle(di_thread_get())?.enter(
          parameter, registration.scope, keptIn: caches)
        // Outside a cycle, nothing is shared.
        place = (entry?.id ?? Registration.nextID(), nil)
      } else {
        let list = list.own(caches)
        let entry = list.enter(parameter, registration.scope, keptIn: caches)
        entered = (list, entry, caches)
        place = (entry.id, entry.slot)
      }
    }

    func leave() {
      if let entered { entered.list.leave(entered.entry, keptIn: entered.caches) }
      entered = nil
    }

    /// Forgets an instance that was last requested too long ago.
    func forgetExpired(_ keeper: Keeper) {
      if let timeToLive, expiry.isExpired(keeper, after: timeToLive) { keeper.forget() }
    }

    /// Passes an instance in memory to the decorators of the property and of the container.
    func decorate(_ instance: UnsafeMutableRawPointer, _ type: Any.Type, isNew: Bool) {
      decorator?(instance, isNew)
      func load<Service>(_ type: Service.Type) -> Any {
        instance.assumingMemoryBound(to: type).pointee
      }
      containerDecorator?(load(type))
    }
  }

  /// The factory of the instance, with its isolation.
  var recipe: Recipe { ownRecipe ?? registration.recipe }

  /// Whether it decorates another registration.
  var isDecoration: Bool { recipe.decorates != nil }

  /// The identity of the instance in its resolution cycle.
  var id: UInt64 { property?.place?.id ?? registration.id }

  /// The keeper of the instance outside every context; nil for scopes that keep none.
  var slot: Keeper? { property?.place?.keeper ?? registration.slot }
}

extension Recipe {
  /// Creates the recipe of a property's closure, which takes its parameter.
  ///
  /// Without a parameter there is no instance; and a nil result is none.
  init<P, T>(_ make: @escaping (P) throws -> T, isOptional: Bool) {
    self.init { memory, _, args in
      if P.self != Void.self, args == nil { return false }
      return store(
        try make(args.map { $0.pointee as! P } ?? unsafeBitCast((), to: P.self)),
        isOptional: isOptional, to: memory)
    }
  }
}

/// Stores an instance in uninitialised memory; returns false if it is the nil of an optional.
func store<Service>(
  _ service: Service, isOptional: Bool, to memory: UnsafeMutableRawPointer
) -> Bool {
  if isOptional, (service as? any OptionalType)?.content == nil { return false }
  memory.initializeMemory(as: Service.self, to: service)
  return true
}

/// The times at which kept instances were last requested, for `timeToLive`.
package final class ExpiryClock: Sendable {
  /// The time by which the clock is ahead of the real one; tests bind it.
  @TaskLocal package static var ahead: Duration = .zero

  // Made on first use: each registration of a property has a clock, and few have a time to live.
  private let lastAsked = Lock<WeakTable<Keeper, ContinuousClock.Instant>?>(nil)

  package init() {}

  /// The number of slots with a recorded time.
  package var count: Int { lastAsked.withLock { $0?.count ?? 0 } }

  /// Notes that an instance was copied to another slot, and copies its last request.
  func note(_ slot: Keeper, askedLikeThat base: Keeper) {
    let left = lastAsked.withLock { table in
      table?[base].map { table?.set($0, for: slot) }
    }
    withExtendedLifetime(left) {}
  }

  /// Notes a request for an instance; returns whether the previous one was too long ago.
  package func isExpired(_ slot: Keeper, after seconds: Double) -> Bool {
    let now = ContinuousClock.now + Self.ahead
    let (last, left) = lastAsked.withLock { table in
      if table == nil { table = WeakTable() }
      return (table?[slot], table?.set(now, for: slot))
    }
    withExtendedLifetime(left) {}
    return last.map { now - $0 > .seconds(seconds) } ?? false
  }
}
