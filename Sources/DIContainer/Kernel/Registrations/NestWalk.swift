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
