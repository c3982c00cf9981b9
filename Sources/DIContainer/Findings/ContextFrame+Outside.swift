// The choice of the open scope that serves work which left its task without the context.

extension ContextFrame {
  /// A scope that serves work without a context.
  struct Outside {
    /// The innermost scope.
    fileprivate let scope: ContextFrame
    /// The process-wide scope, if it is not clear which of the scopes inside it was meant.
    fileprivate var ambiguousIn: ContextFrame?

    var frame: ContextFrame { scope.pushed?.top ?? scope.withCarrier }

    /// Notes in the chosen scope that others were open which may have been meant.
    func note(_ request: Request, _ container: Resolver) {
      guard let top = ambiguousIn, isFirst(request, container, frame) else { return }
      // A repeated request is only counted, for the cost of a lookup.
      let place = UnscopedNote.Action(link: request.chainLink, done: "answered")
      if scope.countAgain(place, isAttributed: false) { return }
      let open = allOpen().filter { $0 !== scope && $0.isInside(top) }
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
  static var outside: Outside? {
    if let top = processTop { return top.outsideAsTop }
    guard mayServeUnboundWork, let hooks = ProcessHooks.current, !hooks.isInTest() else {
      return nil
    }
    let otherwise = otherwise(hooks)
    let isInSandbox = { (scope: ContextFrame) in scope.sandbox != nil }
    guard
      let last = lastOpen(where: isInSandbox, if: { $0.unscopedWork(otherwise) == .adopt }),
      last.holdsAllOpen(where: isInSandbox)
    else { return nil }
    return Outside(scope: last)
  }

  /// The frame on which work without a context pushes layers: the scope that serves it.
  package static var outsideAnchor: ContextFrame? {
    guard let scope = outside?.scope else { return nil }
    return scope.pushed?.anchor ?? scope.withCarrier
  }

  private var outsideAsTop: Outside {
    // Code of a test that has no context does not belong to a scope that another test opened
    // meanwhile.
    if wasOpenedLast || ProcessHooks.current?.isInTest() ?? false {
      return Outside(scope: self)
    }
    let isInside = { (scope: ContextFrame) in scope.isInside(self) }
    guard let last = Self.lastOpen(where: isInside) else { return Outside(scope: self) }
    if last.holdsAllOpen(where: isInside) { return Outside(scope: last) }
    let around = last.chain.first { around in
      Self.isEachOpen(where: isInside) { $0.isInside(around) }
    }
    return Outside(scope: around ?? self, ambiguousIn: self)
  }

  func unscopedWork(_ otherwise: UnscopedWork) -> UnscopedWork {
    testPolicies?.unscopedWork ?? otherwise
  }

  /// Returns the treatment that applies if no scope specifies one.
  static func otherwise(_ hooks: ProcessHooks) -> UnscopedWork {
    unscopedWork ?? (hooks.runsOneTestAtATime() ? .adopt : .treat(.warn))
  }

  /// The innermost frame pushed on this frame, or outside it while it was the innermost, and the
  /// frame that it was pushed on.
  private var pushed: (top: ContextFrame, anchor: ContextFrame)? {
    for frame in chain {
      let anchor = frame.withCarrier
      if let top = anchor.pushedTop ?? frame.pushedTop, top.isInside(self) {
        return (top, anchor.pushedTop == nil ? frame : anchor)
      }
    }
    return nil
  }
}
