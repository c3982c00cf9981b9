internal import DIPrimitives

// The steps from a registration to an instance, in order: the event begins, the alias is followed,
// the scope determines where an instance is kept, the factory runs, its properties are set,
// decorations receive the instance, the event ends.
//
// `start` does what comes before the factory and `leave` what comes after. Neither is on the stack
// while the factory runs, nor is any other kernel code but `run`: dependencies can be nested
// thousands deep, also in unoptimised builds.

/// The making of an instance in uninitialised memory.
final class Produce {
  private let registration: Registration
  private let order: ProduceOrder
  private let thread: UnsafeMutablePointer<di_thread>
  private let keeper: Place
  /// The resolution's step on the thread's stack, while the factory runs.
  private var step: UnsafeMutablePointer<di_frame>?
  private var isShared = false
  /// The deferred properties of an instance that the resolution cycle shares.
  private var putOff: (blocks: ArraySlice<Recipe.PropertyBlock>, instance: AnyBox)?

  /// The holder of the instance, besides the caller.
  private enum Place {
    case nobody
    /// The resolution cycle, as long as the same caches are in force: those of the frame with the
    /// number, if there are any.
    case cycle(caches: UInt64)
    /// A slot, with the number of the turn; of a scope, if that brings its own caches.
    case slot(Keeper, turn: Int, in: ContextFrame?)
  }

  private init(_ order: ProduceOrder, for keeper: Place) {
    self.order = order
    registration = order.found.registration
    thread = di_thread_get()
    self.keeper = keeper
  }

  /// The outcome before the factory is called: a result, or an instance to be made.
  enum Start {
    case done(ResolutionEvent.Kind)
    case make(Produce)
  }

  /// Puts an existing instance into memory, or returns how to make it.
  static func start(_ order: ProduceOrder) throws -> Start {
    do {
      let start = try begin(order)
      if case .done(let outcome) = start { order.end(outcome) }
      return start
    } catch {
      order.end(.missed)
      throw error
    }
  }

  private static func begin(_ order: ProduceOrder) throws -> Start {
    let registration = order.found.registration
    if order.frame?.dryRun == nil { registration.noteResolved() }
    try order.found.checkHome(order.requested)
    if let alias = registration.alias { return .done(try alias.resolve(order)) }
    let keeping = order.found.keeping(askedOf: order.asked)
    switch keeping.place {
    case .nowhere: return .make(Produce(order, for: .nobody))
    case .cycle: return beginShared(order)
    case .keeper(let base):
      if keeping.builder === order.asked { return try begin(order, in: base) }
      var order = order
      order.asked = keeping.builder
      return try begin(order, in: base)
    }
  }

  private static func beginShared(_ order: ProduceOrder) -> Start {
    let registration = order.found.registration
    order.found.property?.enterCycle(registration, order.args)
    let caches = order.frame?.cacheFrame(for: registration.scope)?.number ?? 0
    let thread = di_thread_get()
    if di_frames(thread) != nil, GraphArena.copy(order.found.id, in: caches, to: order.out, thread) {
      return .done(.kept)
    }
    return .make(Produce(order, for: .cycle(caches: caches)))
  }

  private static func begin(_ order: ProduceOrder, in base: Keeper) throws -> Start {
    let frame = order.frame?.cacheFrame(for: order.found.registration.scope)
    let common = frame?.slot(for: base) ?? base
    let slot = order.found.property?.keeper(common, order.args) ?? common
    let turn = try slot.begin(order.out, di_thread_get()) {
      ResolutionError.cycle(order.requested.pointee, throughThreads: $0)
    }
    return turn.map { .make(Produce(order, for: .slot(slot, turn: $0, in: frame))) } ?? .done(.kept)
  }

  private static func address(_ slot: Keeper) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(slot).toOpaque()
  }
}

// MARK: - Around the factory

extension Produce {
  /// Makes the instance; returns false if the factory returned nil.
  func run() throws -> Bool {
    try enter()
    let isBuilt: Bool
    do {
      isBuilt = try order.found.recipe.build(order.out, order.asked, order.args)
      if isBuilt, registration.setsProperties {
        // Dependencies set as properties may request this instance in turn.
        showEarly()
        try setProperties()
      }
      if GraphArena.hasPutOff(thread) {
        if isOutermost { try setPutOff(isBuilt) } else if isBuilt { waitForCircle() }
      }
    } catch {
      throw leave(after: error)
    }
    leave(isBuilt)
    return isBuilt
  }

  private func enter() throws {
    var slot: UnsafeMutableRawPointer?
    if case .slot(let own, _, _) = keeper { slot = Self.address(own) }
    do {
      step = try Engine.enter(
        thread, order.found.id, order.requested, hasArguments: order.args != nil, slot: slot,
        event: order.event)
    } catch {
      giveUp()
      throw error
    }
  }

  private var isOutermost: Bool { step.unsafelyUnwrapped.pointee.parent == nil }

  private func setProperties() throws {
    let isOfCircle = registration.recipe.details.properties.contains(where: \.isOfCircle)
    let box = isOfCircle ? registration.box(order.out, values: false) : nil
    let isOutermost = isOutermost
    if let box, isOutermost {
      // Kept instances wait for these properties, too.
      GraphArena.putOff(PutOff([], of: registration, in: box, order, slot: nil), thread)
    }
    let blocks = try registration.setProperties(
      of: order.out, order.asked, order.args, puttingOffCircles: box != nil && !isOutermost)
    if let box, !blocks.isEmpty { putOff = (blocks, box) }
  }

  /// Sets the properties that were put off until this service, the outermost of the cycle, is made.
  private func setPutOff(_ isBuilt: Bool) throws {
    if isBuilt { showEarly() }
    do {
      try GraphArena.setPutOff(thread)
    } catch {
      if isBuilt { registration.destroy(order.out) }
      throw error
    }
  }

  /// Keeps a kept instance unfinished as long as one that it may hold.
  ///
  /// If setting that one's properties fails, neither is kept.
  private func waitForCircle() {
    guard putOff == nil, case .slot = keeper, let box = registration.box(order.out, values: true)
    else { return }
    showEarly()
    putOff = ([], box)
  }

  private func showEarly() {
    switch keeper {
    case .nobody:
      break
    case .cycle(let caches):
      if isShared { return }
      isShared = true
      share(in: caches)
    case .slot(let slot, _, _):
      // Not in the cycle, which would return it even after a reset.
      slot.show(early: order.out)
    }
  }

  private func share(in caches: UInt64) {
    registration.share(
      order.out, in: caches, thread, values: registration.options.sharesValues, as: order.found.id)
  }

  private func leave(_ isBuilt: Bool) {
    guard isBuilt else {
      giveUp()
      return Engine.leave(thread, step.unsafelyUnwrapped)
    }
    switch keeper {
    case .nobody:
      break
    case .cycle(let caches):
      // The outermost instance of a cycle is shared with no other service.
      if !isShared, step.unsafelyUnwrapped.pointee.parent != nil {
        share(in: caches)
      }
    case .slot(let slot, let turn, let frame):
      if let frame, !order.found.isDouble {
        frame.noteFirstRequest(
          of: registration, order.requested.pointee.location,
          askedBy: step.unsafelyUnwrapped.pointee.parent?.pointee.asked?.pointee.key)
      }
      if putOff != nil { break }
      slot.end(turn, keeping: order.out, onRelease: registration.onRelease(in: frame))
    }
    if let putOff { delay(putOff.blocks, of: putOff.instance) }
    Engine.leave(thread, step.unsafelyUnwrapped)
    order.end(.created)
  }

  private func delay(_ blocks: ArraySlice<Recipe.PropertyBlock>, of instance: AnyBox) {
    var turn: (Keeper, turn: Int, onRelease: Keeper.OnRelease?)?
    if case .slot(let slot, let number, let frame) = keeper {
      turn = (slot, number, registration.onRelease(in: frame))
    }
    // In any scope: a cycle that shares nothing has no end.
    if !isShared { registration.share(order.out, thread, values: false) }
    GraphArena.putOff(
      PutOff(blocks, of: registration, in: instance, order, slot: turn), thread)
  }

  private func leave(after error: any Error) -> any Error {
    let error = Engine.described(
      error, order.requested, registeredAt: registration.location)
    if isOutermost { GraphArena.dropPutOff(thread) }
    giveUp()
    Engine.leave(thread, step.unsafelyUnwrapped)
    return error
  }

  private func giveUp() {
    if case .slot(let slot, let turn, _) = keeper { slot.end(turn) }
    order.end(.missed)
  }
}

/// The inputs of one resolution, with the memory for its result.
package struct ProduceOrder {
  let found: Found
  let requested: UnsafePointer<Request>
  let args: UnsafePointer<Any>?
  /// The requested container; it builds, unless the registration's owner does.
  var asked: Resolver
  let frame: ContextFrame?
  let out: UnsafeMutableRawPointer
  /// The number of the recorded event, or 0.
  let event: UInt64
  /// The recorders' notes; nil if none is active, and for the target of an alias.
  let recording: RecordedRequest?
  /// Whether it is the request itself, not the target of an alias.
  let isWhole: Bool

  /// Passes the instance to the decoration and the watching scopes, and ends the event.
  func end(_ kind: ResolutionEvent.Kind) {
    guard isWhole else { return }
    found.property?.leave()
    if kind != .missed, let decorate = Resolver.currentDecoration(frame) {
      decorate(found.registration.asAny(out))
    }
    if kind != .missed, let frame {
      frame.dryRun?.made(found.registration.asAny(out), found.registration)
      frame.note(out, found, requested)
    }
    if let recording { frame?.finish(recording, as: kind) }
    if kind != .missed {
      found.property?.decorate(out, found.registration.key.type, isNew: kind == .created)
    }
  }
}

extension Found {
  /// Returns the instance that this registration makes or keeps for a request.
  func produce<Service>(_ request: Request, args: Any?, asked: Resolver) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      let isMade = try withUnsafePointer(to: request) { request in
        try withAddress(of: args) { args in
          try Engine.deliver(
            self, request, args: args, asked: asked, ContextFrame.current,
            to: UnsafeMutableRawPointer(out))
        }
      }
      return isMade ? out.move() : nil
    }
  }
}
