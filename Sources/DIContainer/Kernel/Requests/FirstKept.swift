internal import DIPrimitives

/// The first request in a plain scope for something that it is to keep: `Produce` in short.
///
/// Every sandbox builds anew what is kept, so most tests come here, where nobody listens and the
/// registration is by type and says no more than how to make an instance. `Produce` takes 600 ns
/// more.
struct FirstKept {
  private let registration: Registration
  private let base: Slot
  private let caches: ContextFrame
  private let thread: UnsafeMutablePointer<di_thread>

  /// Nil where it takes more than the scope's own once-state and the factory.
  init?(_ request: UnsafePointer<Request>, asked: Resolver) {
    guard di_attention_needed() != 0, let (scope, main) = PlainScope.around(request),
      scope.pointee.listener == nil
    else { return nil }
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    guard
      let answer = PlainScope.find(RawKey(request), in: asked.core, scope, main: main),
      let caches = answer.caches,
      answer.found._withUnsafeGuaranteedRef({ $0.path == .kept && $0.recipe.isPlain })
    else { return nil }
    switch answer.found._withUnsafeGuaranteedRef({ $0.scope.kind }) {
    case .kept, .weak, .site, .siteWeak: break
    case .unique, .graph, .containerAsked, .owner, .ownerWeak: return nil
    }
    self.thread = thread
    registration = answer.found.takeUnretainedValue()
    base = registration.slot.unsafelyUnwrapped
    self.caches = caches.takeUnretainedValue()
  }

  /// Builds the instance, or waits for whoever builds it; nil to take the long way.
  ///
  /// As in `Produce`, what comes before and after the factory is not on the stack while it runs.
  @inline(never)
  static func deliver(
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    guard let first = FirstKept(request, asked: asked) else { return nil }
    guard let turn = try first.begin(request, hasArguments: args != nil, to: out) else {
      return true
    }
    do {
      let isBuilt = try first.registration.build(out, asked, args)
      if isBuilt, GraphArena.hasPutOff(first.thread) { try first.setPutOff(turn, out) }
      first.end(turn, keeping: isBuilt ? out : nil)
      return isBuilt
    } catch {
      throw first.end(turn, after: error, request)
    }
  }

  private struct Turn {
    let number: Int
    let slot: Slot
    let step: UnsafeMutablePointer<di_frame>
  }

  /// Nil if there is an instance by now, which is in memory then.
  private func begin(
    _ request: UnsafePointer<Request>, hasArguments: Bool, to out: UnsafeMutableRawPointer
  ) throws -> Turn? {
    registration.noteUse()
    let slot = caches.slot(for: base)
    let number = try slot.begin(out, thread) {
      ResolutionError.cycle(request.pointee, throughThreads: $0)
    }
    guard let number else { return nil }
    do {
      let step = try Engine.enter(
        thread, registration.id, request, hasArguments: hasArguments,
        slot: Unmanaged.passUnretained(slot).toOpaque())
      return Turn(number: number, slot: slot, step: step)
    } catch {
      slot.end(number)
      throw error
    }
  }

  private func setPutOff(_ turn: Turn, _ out: UnsafeMutableRawPointer) throws {
    guard turn.step.pointee.parent == nil else { return }
    turn.slot.show(early: out)
    do {
      try GraphArena.setPutOff(thread)
    } catch {
      registration.destroy(out)
      throw error
    }
  }

  private func end(_ turn: Turn, keeping memory: UnsafeMutableRawPointer?) {
    if let memory {
      turn.slot.end(turn.number, keeping: memory, onRelease: nil)
      if !registration.options.isDouble {
        caches.noteFirstRequest(
          of: registration, turn.step.pointee.asked.unsafelyUnwrapped.pointee.location,
          askedBy: turn.step.pointee.parent?.pointee.asked?.pointee.key)
      }
    } else {
      turn.slot.end(turn.number)
    }
    Engine.leave(thread, turn.step)
  }

  private func end(
    _ turn: Turn, after error: any Error, _ request: UnsafePointer<Request>
  ) -> any Error {
    let error = Engine.described(error, request, registeredAt: registration.location)
    end(turn, keeping: nil)
    return error
  }
}
