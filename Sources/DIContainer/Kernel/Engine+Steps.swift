internal import DIPrimitives

// The steps of a thread's resolution cycle: what stands around each call of a factory.

extension Engine {
  /// Begins a step of the thread's resolution cycle: a factory is about to be called.
  @inline(__always)
  static func enter(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64,
    _ request: UnsafePointer<Request>, hasArguments: Bool, slot: UnsafeMutableRawPointer? = nil,
    event: UInt64 = 0
  ) throws -> UnsafeMutablePointer<ResolutionFrame> {
    if di_stack_address() < thread.pointee.stack_limit { throw tooDeep(request) }
    let parent = ResolutionStack.innermost(thread)
    var outer = parent
    while let ancestor = outer {
      if ancestor.pointee.registration == registration, !hasArguments,
        !ancestor.pointee.hasArguments
      {
        throw cycle(request, backTo: ancestor)
      }
      outer = ancestor.pointee.parent
    }
    let step = ResolutionStack.next(thread, after: parent)
    step.pointee.registration = registration
    step.pointee.hasArguments = hasArguments
    step.pointee.slot = slot
    step.pointee.event = event
    step.pointee.requested = request
    di_set_frames(thread, UnsafeMutableRawPointer(step))
    return step
  }

  /// Ends a step of the thread's resolution cycle.
  @inline(__always)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<ResolutionFrame>
  ) {
    let parent = step.pointee.parent
    di_set_frames(thread, UnsafeMutableRawPointer(parent))
    if parent == nil { GraphArena.endCycle(thread) }
  }

  /// Calls a factory as one step of the thread's resolution cycle.
  ///
  /// `core` is the container that was asked, for the error of a factory that throws.
  @inline(__always)
  static func construct(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64,
    _ request: UnsafePointer<Request>, hasArguments: Bool, event: UInt64 = 0,
    in core: @autoclosure () -> ContainerCore, make: () throws -> Bool
  ) throws -> Bool {
    let step = try enter(
      thread, registration, request, hasArguments: hasArguments, event: event)
    do {
      let isBuilt = try make()
      leave(thread, step)
      return isBuilt
    } catch {
      throw leave(thread, step, request, in: core(), after: error)
    }
  }

  /// Ends a step whose factory threw; answers the error as the kernel's own.
  @inline(never)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<ResolutionFrame>,
    _ request: UnsafePointer<Request>, in core: ContainerCore, after error: any Error
  ) -> any Error {
    let frame = ContextFrame.current
    var found = Lookup.find(RawKey(request), in: core, frame)?.registration
    while let target = found?.aliasTarget {
      found = Lookup.find(target.typeAndName, in: core, frame)?.registration
    }
    let error = described(error, request, registeredAt: found?.location)
    leave(thread, step)
    return error
  }

  // Apart, so that the way of all requests has a small stack frame.

  @inline(never)
  private static func tooDeep(_ request: UnsafePointer<Request>) -> any Error {
    ResolutionError.tooDeep(request.pointee)
  }

  @inline(never)
  private static func cycle(
    _ request: UnsafePointer<Request>, backTo frame: UnsafeMutablePointer<ResolutionFrame>
  ) -> any Error {
    ResolutionError.cycle(request.pointee, backTo: frame)
  }

  /// The error of a factory as the kernel's own.
  @inline(never)
  static func described(
    _ error: any Error, _ request: UnsafePointer<Request>, registeredAt location: CodeLocation?
  ) -> any Error {
    error is ResolutionError
      ? error
      : ResolutionError.factoryFailed(error, request.pointee, registeredAt: location)
  }

  /// What a registration says about an instance per cycle, copied inside a read section.
  struct SharedRecipe {
    let id: UInt64
    let build: Build
    let form: InstanceForm
    let size: Int
    /// Held only if the instance cannot be shared by what its form says.
    let registration: Registration?

    @inline(__always)
    init(_ found: Registration) { self.init(.passUnretained(found)) }

    @inline(__always)
    init(_ found: Unmanaged<Registration>) {
      id = found._withUnsafeGuaranteedRef { $0.id }
      build = found._withUnsafeGuaranteedRef { $0.build }
      form = found._withUnsafeGuaranteedRef { $0.form }
      size = found._withUnsafeGuaranteedRef { $0.size }
      registration = form == .reference ? nil : found.takeUnretainedValue()
    }

    /// Shares the new instance in memory with the rest of the cycle.
    @inline(__always)
    func share(
      _ out: UnsafeMutableRawPointer, _ scope: UnsafeMutableRawPointer?,
      _ thread: UnsafeMutablePointer<di_thread>
    ) {
      if let registration {
        registration.share(out, scope, thread, values: registration.options.sharesValues)
      } else if let object = form.object(in: out) {
        GraphArena.add(object, from: out, size: size, id, scope, thread)
      }
    }
  }

  /// An instance, one per resolution cycle.
  @inline(__always)
  static func share(
    _ thread: UnsafeMutablePointer<di_thread>, _ recipe: SharedRecipe,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    scope: UnsafeMutableRawPointer? = nil, event: UInt64 = 0, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    // The outermost instance of a cycle has nobody to be shared with.
    let isOutermost = di_frames(thread) == nil
    if !isOutermost, GraphArena.copy(recipe.id, scope, to: out, thread) { return true }
    let step = try enter(thread, recipe.id, request, hasArguments: args != nil, event: event)
    let isBuilt: Bool
    do {
      isBuilt = try recipe.build(out, asked, args)
      leave(thread, step)
    } catch {
      throw leave(thread, step, request, in: asked.core, after: error)
    }
    if isBuilt, !isOutermost { recipe.share(out, scope, thread) }
    return isBuilt
  }
}
