#if canImport(Testing) && canImport(XCTest)
import DIContainer

// The choice of the open scope that serves work which left its task without the context.

extension ContextFrame {
  /// The frame that serves work without a context: the innermost that was pushed on its scope.
  static var unboundWorkFrame: ContextFrame? {
    unboundWorkScope.map { $0.pushedLayers?.top ?? $0 }
  }

  /// The scope that serves work without a context: the innermost one of the only running test.
  private static var unboundWorkScope: ContextFrame? {
    if let top = processTop {
      let scope = top.asUnboundWorkScope
      // A sandbox that was opened inside a layer of the process says itself what it adopts.
      let mayServe = top.sandbox != nil || scope.sandbox == nil
      return mayServe || scope.unscopedPolicy(ProcessPolicies.unscopedWork) == .adopt ? scope : top
    }
    guard mayServeUnboundWork, !ProcessHooks.current.knowsTest else { return nil }
    let otherwise = ProcessPolicies.unscopedWork
    return withOpen { open in
      let open = open.filter { $0.sandbox != nil }
      guard let last = innermost(of: open), last.unscopedPolicy(otherwise) == .adopt,
        open.allSatisfy({ last.isInside($0) })
      else { return nil }
      return last
    }
  }

  private static func innermost(of open: [ContextFrame]) -> ContextFrame? {
    open.max { $0.number < $1.number }
  }

  /// The frame on which work without a context pushes layers: the scope that serves it.
  static var unboundWorkAnchor: ContextFrame? {
    guard let scope = unboundWorkScope else { return nil }
    return scope.pushedLayers?.anchor ?? scope
  }

  private var asUnboundWorkScope: ContextFrame {
    // In most cases no other scope was opened since.
    if Self.withOpen({ open in !open.contains { $0.number > number } }) { return self }
    // Code of a test that has no context does not belong to a scope that another test opened
    // meanwhile.
    if ProcessHooks.current.knowsTest { return self }
    return Self.withOpen { open in
      let inside = open.filter { $0.isInside(self) }
      guard let last = Self.innermost(of: inside) else { return self }
      if inside.allSatisfy({ last.isInside($0) }) { return last }
      return last.chain.first { around in inside.allSatisfy { $0.isInside(around) } } ?? self
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
