internal import DIPrimitives

// The root that a frame puts in the process's place, what is pushed on it or on the process, and
// its end.

extension ContextFrame {
  /// The container that the frames put in the root's place, if any.
  package var root: Resolver? {
    for frame in chain {
      if let root: Resolver = frame.held(di_scope_root(frame.plain)) { return root }
    }
    return nil
  }

  package func setRoot(_ root: Resolver) { hold(root, di_scope_root(plain)) }

  /// The innermost layer or root that was put on this frame with `push`.
  package var pushedTop: ContextFrame? { held(di_scope_top(plain)) }

  /// Whether requests in this frame are answered by itself.
  var hasNothingPushed: Bool { di_load(di_scope_top(plain)) == nil }

  package func setPushedTop(_ frame: ContextFrame?) {
    if frame != nil { becomeOdd() }
    hold(frame, di_scope_top(plain))
  }

  private func held<Object: AnyObject>(
    _ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Object? {
    if di_load(word) == nil { return nil }
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return di_load(word).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  private func hold<Object: AnyObject>(
    _ object: Object?, _ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) {
    if object == nil, di_load(word) == nil { return }
    guard let old = di_exchange(word, object.map { Unmanaged.passRetained($0).toOpaque() }) else {
      return
    }
    // Somebody may be about to hold it, too.
    di_quiesce()
    Unmanaged<Object>.fromOpaque(old).release()
  }

  private static let process = Lock<ContextFrame?>(nil)

  /// What was pushed with no scope around: it answers for the whole process.
  package static var processTop: ContextFrame? { process.withLock { $0 } }

  package static func setProcessTop(_ frame: ContextFrame?) {
    if frame != nil { listAllScopes() }
    let old = process.withLock { top in
      defer { top = frame }
      return top
    }
    withExtendedLifetime(old) {}
  }

  package var hasEnded: Bool { di_load_word(di_scope_has_ended(plain)) != 0 }

  /// Ends the scope: it lets go of the instances it kept.
  ///
  /// Its doubles stay for work that still carries the frame: such late requests are reported, and
  /// get a double or nothing, never a live service.
  package func end() {
    // Instances are torn down while the scope still answers, and so is what that makes anew, unless
    // it never comes to an end.
    dropLazies()
    var turns = 8
    while !hasNoSlots, turns > 0 {
      dropSlots()
      turns -= 1
    }
    withLock { di_store_word(di_scope_has_ended(plain), 1) }
    becomeOdd()
    noteEnd()
    dropSlots()
    dropLazies()
    hold(nil as ContextFrame?, di_scope_top(plain))
    if hasExtras { reportUnscopedNotes() }
  }
}
