internal import DIPrimitives

// The containers nested in one. When a container is deallocated, it releases them, and they release
// those nested in them in turn: with some ten thousand levels, these calls would overflow the
// stack. So from some depth on a thread leaves the rest to the outermost container that it is
// releasing.

/// The containers nested in another, in the order added.
final class Nest {
  var containers: [Resolver] = []

  deinit {
    if !containers.isEmpty { Going.letGo(of: &containers) }
  }

  /// The containers that a thread is releasing.
  private final class Going {
    /// The depth to which releases may nest.
    ///
    /// Up to here, everything that a deinit releases is gone before the deinit returns.
    private static let limit = 32

    private var depth = 0
    /// The containers left to the outermost release, the next one last.
    private var rest: [Resolver] = []

    /// Takes over and releases containers: nothing else should hold them, or that would release
    /// them.
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
