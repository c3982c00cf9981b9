/// A walk through a container and those below it, depth first.
///
/// Containers may share those below them, so that the paths of a nest can be many more than its
/// containers: each of them is looked at once. Nothing recurses, for a nest may be deeper than the
/// stack.
struct NestWalk {
  private var start: ContainerCore?
  // An array and a set cost nothing before something is in them.
  private var rest: [ContainerCore] = []
  private var seen: Set<ObjectIdentifier> = []
  private var uncounted: Int

  // `uncounted`: how many visits to make without remembering them, which is cheaper in small nests.
  // Visiting a container twice does not change the answer; it only takes longer.
  init(from start: ContainerCore, uncounted: Int = 0) {
    self.start = start
    self.uncounted = uncounted
  }

  /// The container that `next` returns next; nil at the end.
  mutating func peek() -> ContainerCore? {
    if let start { return start }
    while uncounted == 0, let last = rest.last, seen.contains(ObjectIdentifier(last)) {
      rest.removeLast()
    }
    return rest.last
  }

  /// The next container; nil at the end.
  mutating func next() -> ContainerCore? {
    while let core = start ?? rest.popLast() {
      start = nil
      if isFirst(core) { return core }
    }
    return nil
  }

  /// Goes on below the container that came last, as far as the containers there count.
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
