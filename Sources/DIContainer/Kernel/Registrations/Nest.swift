internal import DIPrimitives

// The containers below one. When a container goes, it releases them, and they release those below
// them in turn: nested some ten thousand deep, these calls would overflow the stack. So from some
// depth on a thread leaves the rest to the outermost container that it is releasing.

/// The containers below another, in the order added.
final class Nest {
  var containers: [Resolver] = []

  deinit {
    if !containers.isEmpty { Going.letGo(of: &containers) }
  }

  /// What a thread is letting go of.
  private final class Going {
    /// How deep releases may nest.
    ///
    /// Up to here, what a deinit releases is gone before the deinit returns.
    private static let limit = 32

    private var depth = 0
    /// What is left to the outermost one, the next one last.
    private var rest: [Resolver] = []

    /// Takes them over: nothing else is to hold them, or they would go with that.
    static func letGo(of containers: inout [Resolver]) {
      let word = di_containers_going()
      if let going = word.pointee {
        Unmanaged<Going>.fromOpaque(going)._withUnsafeGuaranteedRef { $0.letGo(of: &containers) }
        return
      }
      let going = Going()
      word.pointee = Unmanaged.passUnretained(going).toOpaque()
      going.letGo(of: &containers)
      while var next = going.rest.popLast().map({ [$0] }) { going.letGo(of: &next) }
      withExtendedLifetime(going) { word.pointee = nil }
    }

    private func letGo(of containers: inout [Resolver]) {
      containers.reverse()
      if depth == Self.limit {
        rest += containers
        containers = []
        return
      }
      depth += 1
      while let next = containers.popLast() { withExtendedLifetime(next) {} }
      depth -= 1
    }
  }
}
