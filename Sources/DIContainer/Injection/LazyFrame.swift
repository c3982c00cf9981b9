internal import DIPrimitives

// A lazy wrapper keeps its resolved service for its owner. An owner that is older than a sandbox, a
// layer or a scoped root, such as a global object, would keep the double of the first test that
// uses it, and expose it to all others. While such a scope is in force, another storage therefore
// replaces the wrapper's own. The scope holds it, and releases it at its end, or with the wrapper.

/// A scope in which a lazy wrapper is used but was not created.
@usableFromInline
struct LazyFrame {
  private let used: ContextFrame
  private let made: ContextFrame?
  /// Whether it has ended, and work without a context uses the wrapper: what the wrapper resolved
  /// before is not for that work.
  @usableFromInline let isLate: Bool

  /// Whether there may be such scopes in the process; a quick check.
  @usableFromInline
  static var mayExist: Bool { di_attention_needed() != 0 }

  /// Creates the scope that a wrapper is used in, or nil where its own storage applies.
  ///
  /// `remembered`: the frame that the wrapper was created in.
  init?(used: ContextFrame?, remembered: ContextFrame?) {
    guard let used = used?.containerFrame else { return nil }
    let made = remembered?.containerFrame
    if used === made { return nil }
    (self.used, self.made, isLate) = (used, made, false)
  }

  /// Creates the scope of late work, or nil if the frame is in none.
  ///
  /// `remembered`: the frame that the wrapper was created in.
  init?(ofLateWork remembered: ContextFrame) {
    guard let used = remembered.containerFrame else { return nil }
    (self.used, made, isLate) = (used, nil, true)
  }

  /// Whether the scope is nested in the one that the wrapper was created in, whose instances it
  /// sees.
  @usableFromInline var isInside: Bool { made.map(used.isInside) ?? true }

  /// Creates the keeper in whose place scopes keep the replacements of a storage.
  @usableFromInline
  static func makePlace() -> Keeper { Keeper(scope, AnyObject.self) }

  private static let scope = Scope.cache("lazy wrappers")

  /// Returns the replacement of a storage, or nil where the storage applies because it has a value.
  @usableFromInline
  func replacement(at place: Keeper, isKept: Bool, orMake make: () -> AnyObject) -> AnyObject? {
    for frame in used.chain where frame !== made {
      if let box = frame.replacement(for: place)?.strongBox { return box.load(as: AnyObject.self) }
    }
    if isKept, isInside { return nil }
    // Late work shares one, too. Making it resolves nothing, so nothing waits for itself.
    let own = used.makeReplacement(for: place, afterEnd: true)
    return try? own.value(cycle: { _ in CancellationError() }) { _ in make() }
  }

  /// Removes the replacements of a storage, or returns false if the storage cannot be used here.
  @usableFromInline
  func removeReplacements(at place: Keeper) -> Bool {
    guard isInside else { return false }
    for frame in used.chain where frame !== made { frame.replacement(for: place)?.forget() }
    return true
  }
}
