#if canImport(Testing) && canImport(XCTest)
import DIContainer

// The choice of the open scope that serves work which left its task without the context.

extension ContextFrame {
  /// A scope that serves work without a context.
  struct UnboundWorkScope {
    /// The innermost scope.
    fileprivate let scope: ContextFrame
    /// The process-wide scope, if it is not clear which of the scopes inside it was meant.
    fileprivate var ambiguousIn: ContextFrame?

    var frame: ContextFrame { scope.pushedLayers?.top ?? scope }

    /// Notes in the chosen scope that others were open which may have been meant.
    func note(_ request: Request, _ container: Resolver) {
      guard let top = ambiguousIn, request.isToBeReported(container: container, frame)
      else { return }
      // A repeated request is only counted, for the cost of a lookup.
      let place = UnscopedNote.Action(link: request.chainLink, done: "answered")
      if scope.countAgain(place, isAttributed: false) { return }
      let open = allOpen.filter { $0 !== scope && $0.isInside(top) }
      // Meanwhile only one may be left.
      guard let last = open.last, !open.allSatisfy({ last.isInside($0) }) else { return }
      scope.note(
        UnscopedNote(
          place: place,
          headline: { [key = request.key] _ in
            "`\(key)` was resolved by work that belongs to no test, while several scopes were "
              + "open: the one around them all served it."
          }, facts: chainFacts(request) + [("thread:", threadText)], isAttributed: false,
          failsForAll: false, treatment: .warn, open: places(of: open)))
    }
  }

  /// The scope that serves work without a context: the innermost one of the only running test.
  static var unboundWorkScope: UnboundWorkScope? {
    if let top = processTop { return top.asUnboundWorkScope }
    guard mayServeUnboundWork, !ProcessHooks.current.knowsTest else { return nil }
    let otherwise = ProcessPolicies.unscopedWork
    return withOpen { open in
      let open = open.filter { $0.sandbox != nil }
      guard let last = innermost(of: open), last.unscopedPolicy(otherwise) == .adopt,
        open.allSatisfy({ last.isInside($0) })
      else { return nil }
      return UnboundWorkScope(scope: last)
    }
  }

  private static func innermost(of open: [ContextFrame]) -> ContextFrame? {
    open.max { $0.number < $1.number }
  }

  /// The frame on which work without a context pushes layers: the scope that serves it.
  static var unboundWorkAnchor: ContextFrame? {
    guard let scope = unboundWorkScope?.scope else { return nil }
    return scope.pushedLayers?.anchor ?? scope
  }

  private var asUnboundWorkScope: UnboundWorkScope {
    // In most cases no other scope was opened since.
    if Self.withOpen({ open in !open.contains { $0.number > number } }) {
      return UnboundWorkScope(scope: self)
    }
    // Code of a test that has no context does not belong to a scope that another test opened
    // meanwhile.
    if ProcessHooks.current.knowsTest { return UnboundWorkScope(scope: self) }
    return Self.withOpen { open in
      let inside = open.filter { $0.isInside(self) }
      guard let last = Self.innermost(of: inside) else { return UnboundWorkScope(scope: self) }
      if inside.allSatisfy({ last.isInside($0) }) { return UnboundWorkScope(scope: last) }
      let around = last.chain.first { around in inside.allSatisfy { $0.isInside(around) } }
      return UnboundWorkScope(scope: around ?? self, ambiguousIn: self)
    }
  }

  /// The innermost frame pushed on this frame, or outside it while it was the innermost, and the
  /// frame that it was pushed on.
  private var pushedLayers: (top: ContextFrame, anchor: ContextFrame)? {
    for frame in chain {
      if let top = frame.pushedTop, top.isInside(self) { return (top, frame) }
    }
    return nil
  }
}
#endif
