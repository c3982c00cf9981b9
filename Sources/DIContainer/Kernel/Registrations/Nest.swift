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

/// A depth-first walk through a container and those nested in it.
///
/// Containers may share nested ones, so that a nest can have many more paths than containers: each
/// container is visited once. Nothing recurses, because a nest may be deeper than the stack.
struct NestWalk {
  private var start: ContainerCore?
  // An empty array and an empty set allocate nothing.
  private var rest: [ContainerCore] = []
  private var seen: Set<ObjectIdentifier> = []
  private var uncounted: Int

  // `uncounted`: the number of visits to make without remembering them, which is cheaper in small
  // nests. Visiting a container twice does not change the result; it only takes longer.
  init(from start: ContainerCore, uncounted: Int = 0) {
    self.start = start
    self.uncounted = uncounted
  }

  /// Returns the next container; nil at the end.
  mutating func next() -> ContainerCore? {
    while let core = start ?? rest.popLast() {
      start = nil
      if isFirst(core) { return core }
    }
    return nil
  }

  /// Continues with the nested containers of the latest one for which `counts` is true.
  mutating func goOn(to children: [Resolver], where counts: (ContainerCore) -> Bool = { _ in true })
  {
    for child in children.reversed() where counts(child.core) { rest.append(child.core) }
  }

  private mutating func isFirst(_ core: ContainerCore) -> Bool {
    if uncounted > 0 {
      uncounted -= 1
      return true
    }
    return seen.insert(ObjectIdentifier(core)).inserted
  }
}
