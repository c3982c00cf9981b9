internal import DIPrimitives

// The containers nested in one. When a container is deallocated, it releases them, and they release
// those nested in them in turn: with some ten thousand levels, these calls would overflow the
// stack. So from some depth on a thread leaves the rest to the outermost container that it is
// releasing.

/// The containers nested in another, in the order added.
final class Nest {
  var containers: [Resolver] = []

  deinit {
    if !containers.isEmpty { Releases.release(&containers) }
  }

  /// The containers that a thread is releasing.
  private final class Releases {
    /// The depth to which releases may nest.
    ///
    /// Up to here, everything that a deinit releases is gone before the deinit returns.
    private static let limit = 32

    private var depth = 0
    /// The containers left to the outermost release, the next one last.
    private var rest: [Resolver] = []

    /// Releases containers, which nothing else should hold: then these are the last references.
    static func release(_ containers: inout [Resolver]) {
      let word = di_containers_going()
      if let current = word.pointee {
        Unmanaged<Releases>.fromOpaque(current)._withUnsafeGuaranteedRef { $0.release(&containers) }
        return
      }
      let releases = Releases()
      word.pointee = Unmanaged.passUnretained(releases).toOpaque()
      releases.release(&containers)
      while var next = releases.rest.popLast().map({ [$0] }) { releases.release(&next) }
      withExtendedLifetime(releases) { word.pointee = nil }
    }

    private func release(_ containers: inout [Resolver]) {
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
