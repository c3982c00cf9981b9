internal import DIPrimitives

// The containers below one. A container lets go of them when it goes, and they of those below them:
// one inside the other, some ten thousand would overflow the stack. So the thread that lets go of
// one goes on with what that held when it has gone, and nests no deeper.

/// The containers below another, in the order added.
final class Nest {
  var containers: [Resolver] = []

  deinit {
    if !containers.isEmpty { Going.letGo(of: &containers) }
  }

  /// What a thread is about to let go of, the next one last.
  private final class Going {
    var containers: [Resolver] = []

    /// Takes them over: nothing else is to hold them, or they would go with that.
    static func letGo(of containers: inout [Resolver]) {
      let word = di_containers_going()
      if let going = word.pointee {
        Unmanaged<Going>.fromOpaque(going)._withUnsafeGuaranteedRef { $0.add(&containers) }
        return
      }
      let going = Going()
      going.add(&containers)
      word.pointee = Unmanaged.passUnretained(going).toOpaque()
      while let next = going.containers.popLast() { withExtendedLifetime(next) {} }
      withExtendedLifetime(going) { word.pointee = nil }
    }

    private func add(_ containers: inout [Resolver]) {
      self.containers += containers.reversed()
      containers = []
    }
  }
}
