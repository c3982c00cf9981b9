/// A depth-first walk through a container and those nested in it.
///
/// Containers may share nested ones, so that a nest can have many more paths than containers: each
/// container is visited once.
struct NestWalk {
  private var start: ContainerCore?
  private var rest: [ContainerCore] = []
  /// The nested containers that were visited; a container is never nested in itself.
  private var seen: Set<ObjectIdentifier> = []

  init(from start: ContainerCore) { self.start = start }

  /// Returns the next container; nil at the end.
  mutating func next() -> ContainerCore? {
    if let start = exchange(&start, with: nil) { return start }
    while let core = rest.popLast() {
      if seen.insert(ObjectIdentifier(core)).inserted { return core }
    }
    return nil
  }

  /// Continues with the nested containers of the latest one for which `counts` is true.
  mutating func goOn(to children: [Resolver], where counts: (ContainerCore) -> Bool = { _ in true })
  {
    for child in children.reversed() where counts(child.core) { rest.append(child.core) }
  }
}
