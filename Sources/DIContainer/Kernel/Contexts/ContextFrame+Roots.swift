// The root that a frame sets, and the layers and roots pushed on it or on the process.

extension ContextFrame {
  /// The container that the frames set as the root, if any.
  package var root: Resolver? {
    withState { $0.root } ?? parent?.root
  }

  package func setRoot(_ root: Resolver) {
    let old = withState { state in
      defer { state.root = root }
      return state.root
    }
    // Released under no lock.
    withExtendedLifetime(old) {}
  }

  /// The innermost layer or root that `push` added to this frame.
  package var pushedTop: ContextFrame? { withState { $0.pushedTop } }

  package func setPushedTop(_ frame: ContextFrame?) {
    let old = withState { state in
      defer { state.pushedTop = frame }
      return state.pushedTop
    }
    withExtendedLifetime(old) {}
  }

  private static let process = Lock<ContextFrame?>(nil)

  /// The innermost frame pushed outside every scope, which affects the whole process.
  package static var processTop: ContextFrame? { process.withLock { $0 } }

  package static func setProcessTop(_ frame: ContextFrame?) {
    if frame != nil { listAllScopes() }
    let old = process.withLock { top in
      defer { top = frame }
      return top
    }
    withExtendedLifetime(old) {}
  }
}
