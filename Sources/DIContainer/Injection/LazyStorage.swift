internal import DIPrimitives

// A lazy wrapper keeps its resolved service for its owner. An owner that is older than a sandbox, a
// layer or a scoped root, such as a global object, would keep the double of the first test that
// uses it, and one that was made there would keep it beyond the end. So what is resolved in such a
// scope is kept by the scope, in a keeper in place of the wrapper's, and released with it. The
// wrapper's keeper has what was resolved outside every scope or assigned.

/// The state that copies of a lazy wrapper share: the request, and the keeper of the instance.
///
/// The kept instance of a weak wrapper is a reference that holds it weakly, and remains when that
/// is gone: the service is not resolved again.
@usableFromInline
package struct LazyStorage: Sendable {
  private struct Content {
    var source: LazySource
    var timesChanged = 0
  }

  private let state: Lock<Content>
  // Unchecked: what a keeper has is guarded by its own lock and the build lock.
  private let own: Unchecked<Keeper>

  @usableFromInline
  init(_ source: LazySource) {
    state = Lock(Content(source: source))
    own = Unchecked(Keeper(lazyWrappers, source.type, isUnlisted: true))
  }

  package var source: LazySource { state.withLock { $0.source } }

  /// Changes the request for instances that are made from now on.
  func change(_ change: (inout LazySource) -> Void) {
    releaseUnlocked(
      state.withLock { state in
        let old = state.source
        change(&state.source)
        if !state.source.isSameRequest(as: old) { state.timesChanged += 1 }
        return old
      })
  }

  /// The kept instance; nil until the service is resolved or assigned.
  var kept: Instance? { kept(in: source.containerFrame) }

  private func kept(in frame: ContextFrame?) -> Instance? {
    guard let frame else { return own.value.instance }
    for outer in frame.chain {
      if let kept = outer.replacement(for: own.value)?.instance { return kept }
    }
    return source.applies(in: frame) ? own.value.instance : nil
  }

  /// Keeps an assigned instance, or none; it applies to the scopes inside, too.
  func assign(_ instance: Instance?) {
    let frame = source.containerFrame
    if let frame, !source.applies(in: frame) { return keeper(in: frame).keep(instance) }
    own.value.keep(instance)
    // What is resolved there from now on finds the assigned one.
    if let frame { for outer in frame.chain { outer.replacement(for: own.value)?.forget() } }
  }

  /// Returns the keeper for uses in a frame, or outside every one.
  private func keeper(in frame: ContextFrame?) -> Keeper {
    // Late work shares an instance, too.
    frame?.makeReplacement(for: own.value, afterEnd: true) ?? own.value
  }

  /// Returns the kept instance; otherwise the first user resolves the service while others wait.
  ///
  /// A thread does not wait where that would never end, as in the service's own factory: it
  /// resolves for itself. The instance that is kept first, or assigned meanwhile, remains. One is
  /// not kept if the property was released meanwhile, or its request changed.
  ///
  /// - Parameter form: Returns the form in which an instance is kept.
  @usableFromInline
  func instance(_ form: (Instance) -> Instance = { $0 }) -> Instance {
    let frame = ContextFrame.needsAttention ? source.containerFrame : nil
    return kept(in: frame) ?? resolved(in: frame, form)
  }

  private func resolved(in frame: ContextFrame?, _ form: (Instance) -> Instance) -> Instance {
    let keeper = keeper(in: frame)
    let beginning = keeper.begin(di_thread_get())
    // Read now: while this thread waited, both may have changed.
    let (source, times) = state.withLock { ($0.source, $0.timesChanged) }
    var isUnchanged: Bool { state.withLock { $0.timesChanged == times } }
    let made: Instance
    switch beginning {
    case .kept(let instance):
      return instance
    case .other(.build(let build)):
      if let assigned = kept(in: frame) {
        keeper.end(build)
        return assigned
      }
      made = TrapGuard.protect({ form(source.instance()) }, cleanUp: { keeper.end(build) })
      keeper.end(build, keeping: isUnchanged ? made : nil)
    case .other(.cycle):
      made = form(source.instance())
      if isUnchanged { keeper.keep(made, if: { keeper.evidence() == nil }) }
    }
    return kept(in: frame) ?? made
  }

  /// Resolves the service, and keeps it in place of the kept instance.
  package func resolveAnew(_ form: (Instance) -> Instance = { $0 }) {
    let source = source
    keeper(in: source.containerFrame).keep(form(source.instance()))
  }

  /// Returns the form in which a weak wrapper keeps an instance: nil is kept for a value, which
  /// cannot be held weakly.
  @usableFromInline
  package static func weakly(_ instance: Instance) -> Instance {
    Instance(KeptInstance(weakly: instance))
  }
}

private let lazyWrappers = Scope.cache("lazy wrappers")
