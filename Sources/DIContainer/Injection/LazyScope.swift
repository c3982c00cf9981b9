internal import DIPrimitives

// A lazy wrapper keeps what it resolves for its owner. An owner that is older than a sandbox, a
// layer or a scoped root, such as a global object, would keep the double of the first test that
// uses it, and show it to all others. So while such a scope is in force, another storage stands in
// for the wrapper's own. The scope holds it, and it goes with the scope.

/// A scope that a lazy wrapper is used in and was not made in.
@usableFromInline
struct LazyScope {
  private let used: ContextFrame
  private let made: ContextFrame?

  /// Whether there may be such scopes in the process; looked at first.
  @usableFromInline
  static var mayExist: Bool { di_attention_needed() != 0 }

  /// The scope that a wrapper is used in; nil where its own storage serves.
  ///
  /// `remembered`: what the wrapper was made in.
  init?(used: ContextFrame?, remembered: ContextFrame?) {
    guard let used = used?.innermostScope else { return nil }
    let made = remembered?.innermostScope
    if used === made { return nil }
    (self.used, self.made) = (used, made)
  }

  /// Whether the scope lies in the one that the wrapper was made in: what was kept there is seen.
  private var isInside: Bool { made.map { made in used.chain.contains { $0 === made } } ?? true }

  /// What stands in for a storage; nil where that serves itself, because it has something already.
  @usableFromInline
  func standIn(
    for storage: AnyObject, isKept: Bool, orMake make: () -> AnyObject
  ) -> AnyObject? {
    for frame in used.chain where frame !== made {
      if let found = frame.extra(LazyStandIns.self)?.find(storage) { return found }
    }
    if isKept, isInside { return nil }
    let new = make()
    return used.extra(LazyStandIns.self) { LazyStandIns() }.find(storage, orKeep: new)
  }

  /// Has a storage be what is used from now on, as far as it can be; false if it cannot be.
  @usableFromInline
  func takeBack(_ storage: AnyObject) -> Bool {
    guard isInside else { return false }
    for frame in used.chain where frame !== made {
      frame.extra(LazyStandIns.self)?.drop(storage)
    }
    return true
  }
}

/// What stands in for lazy wrappers' storages in a scope.
private final class LazyStandIns: Sendable {
  private struct Entry {
    // Held, so that its address stays its own.
    let storage: AnyObject
    let standIn: AnyObject
  }

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  func find(_ storage: AnyObject) -> AnyObject? {
    entries.withLock { $0[ObjectIdentifier(storage)]?.standIn }
  }

  func find(_ storage: AnyObject, orKeep new: AnyObject) -> AnyObject {
    entries.withLock { entries in
      let id = ObjectIdentifier(storage)
      if let present = entries[id] { return present.standIn }
      entries[id] = Entry(storage: storage, standIn: new)
      return new
    }
  }

  func drop(_ storage: AnyObject) {
    let old = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(storage)) }
    withExtendedLifetime(old) {}
  }

  func dropAll() {
    let old = entries.withLock { entries in
      defer { entries = [:] }
      return entries
    }
    withExtendedLifetime(old) {}
  }
}

extension ContextFrame {
  /// Lets go of what lazy wrappers keep for the scope, inside it.
  func dropLazies() {
    guard hasExtras, let standIns = extra(LazyStandIns.self) else { return }
    ContextFrame.$bound.withValue(self) { standIns.dropAll() }
  }
}
