import DIContainer

/// Lets async code wait until a test opens it.
package final class AsyncGate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  package init() {}

  package func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  package func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// How many wait.
  package var waiterCount: Int { state.withLock { $0.waiting.count } }
}

/// Gives way to other tasks until something has happened.
package func until(_ hasHappened: () -> Bool) async {
  while !hasHappened() { await Task.yield() }
}
