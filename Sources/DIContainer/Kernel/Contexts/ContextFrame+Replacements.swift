// The objects that are used in a frame in place of others, such as the storages of lazy wrappers:
// what is resolved in the frame is kept there, and released at its end.

extension ContextFrame {
  struct Replacement {
    /// The object that is replaced; held so that its address is not reused.
    let original: AnyObject
    let replacement: AnyObject
  }

  /// Returns the object that the frame uses in place of another, if there is one.
  func replacement(of original: AnyObject) -> AnyObject? {
    withState { $0.replacements[ObjectIdentifier(original)]?.replacement }
  }

  /// Returns the object that the frame uses in place of another, a given one if there is none yet.
  func replacement(of original: AnyObject, orKeep new: AnyObject) -> AnyObject {
    withState { state in
      let id = ObjectIdentifier(original)
      if let present = state.replacements[id] { return present.replacement }
      state.replacements[id] = Replacement(original: original, replacement: new)
      return new
    }
  }

  func dropReplacement(of original: AnyObject) {
    let old = withState { $0.replacements.removeValue(forKey: ObjectIdentifier(original)) }
    withExtendedLifetime(old) {}
  }

  /// Releases all replacements, inside the frame.
  func dropReplacements() {
    if withState({ $0.replacements.isEmpty }) { return }
    ContextFrame.$bound.withValue(self) {
      let old = withState { state in
        defer { state.replacements = [:] }
        return state.replacements
      }
      withExtendedLifetime(old) {}
    }
  }
}
