// Containers may share those below them, so that the paths of a nest can be many more than its
// containers: each of them is looked at once.

/// The containers that a walk through a nest has been to.
struct Visits {
  private var uncounted: Int
  // A set costs nothing before something is in it.
  private var seen: Set<ObjectIdentifier> = []

  /// - Parameter uncounted: How many visits to let pass, for small nests: who has been to the same
  ///   container twice answers the same, only later.
  init(uncounted: Int = 0) { self.uncounted = uncounted }

  /// Whether to go on with a container: not where the walk is known to have been there.
  mutating func isFirst(_ core: ContainerCore) -> Bool {
    if uncounted > 0 {
      uncounted -= 1
      return true
    }
    return seen.insert(ObjectIdentifier(core)).inserted
  }
}
