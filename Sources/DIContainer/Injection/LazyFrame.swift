internal import DIPrimitives

// A lazy wrapper keeps its resolved service for its owner. An owner that is older than a sandbox, a
// layer or a scoped root, such as a global object, would keep the double of the first test that
// uses it, and expose it to all others. While such a scope is in force, another storage therefore
// replaces the wrapper's own. The scope holds it, and releases it at its end.

/// A scope in which a lazy wrapper is used but was not created.
@usableFromInline
struct LazyFrame {
  private let used: ContextFrame
  private let made: ContextFrame?

  /// Whether there may be such scopes in the process; a quick check.
  @usableFromInline
  static var mayExist: Bool { di_attention_needed() != 0 }

  /// Creates the scope that a wrapper is used in, or nil where its own storage applies.
  ///
  /// `remembered`: the frame that the wrapper was created in.
  init?(used: ContextFrame?, remembered: ContextFrame?) {
    guard let used = used?.innermostScope else { return nil }
    let made = remembered?.innermostScope
    if used === made { return nil }
    (self.used, self.made) = (used, made)
  }

  /// Whether the scope is nested in the one that the wrapper was created in, whose instances it
  /// sees.
  private var isInside: Bool { made.map(used.isInside) ?? true }

  /// Returns the replacement of a storage, or nil where the storage applies because it has a value.
  @usableFromInline
  func replacement(
    for storage: AnyObject, isKept: Bool, orMake make: () -> AnyObject
  ) -> AnyObject? {
    for frame in used.chain where frame !== made {
      if let found = frame.extra(LazyReplacements.self)?.find(storage) { return found }
    }
    if isKept, isInside { return nil }
    let new = make()
    return used.extra(LazyReplacements.self) { LazyReplacements() }.find(storage, orKeep: new)
  }

  /// Removes the replacements of a storage, or returns false if the storage cannot be used here.
  @usableFromInline
  func removeReplacements(of storage: AnyObject) -> Bool {
    guard isInside else { return false }
    for frame in used.chain where frame !== made {
      frame.extra(LazyReplacements.self)?.drop(storage)
    }
    return true
  }
}

/// The replacements of lazy wrappers' storages in a scope.
private final class LazyReplacements: Sendable {
  private struct Replacement {
    // Held so that its address is not reused.
    let storage: AnyObject
    let replacement: AnyObject
  }

  private let entries = Lock<[ObjectIdentifier: Replacement]>([:])

  func find(_ storage: AnyObject) -> AnyObject? {
    entries.withLock { $0[ObjectIdentifier(storage)]?.replacement }
  }

  func find(_ storage: AnyObject, orKeep new: AnyObject) -> AnyObject {
    entries.withLock { entries in
      let id = ObjectIdentifier(storage)
      if let present = entries[id] { return present.replacement }
      entries[id] = Replacement(storage: storage, replacement: new)
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
  /// Releases the instances that lazy wrappers keep for the scope, inside it.
  func dropLazies() {
    guard let replacements = extra(LazyReplacements.self) else { return }
    ContextFrame.$bound.withValue(self) { replacements.dropAll() }
  }
}
