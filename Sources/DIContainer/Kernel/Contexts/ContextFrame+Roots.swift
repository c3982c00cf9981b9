internal import DIPrimitives

// The root that a frame sets, the layers and roots pushed on it or on the process, and its end.

extension ContextFrame {
  /// The container that the frames set as the root, if any.
  package var root: Resolver? {
    for frame in chain {
      if let root: Resolver = frame.held(di_scope_root(frame.plain)) { return root }
    }
    return nil
  }

  package func setRoot(_ root: Resolver) { hold(root, di_scope_root(plain)) }

  /// The innermost layer or root that `push` added to this frame.
  package var pushedTop: ContextFrame? { held(di_scope_top(plain)) }

  /// Whether nothing is pushed on this frame, so that its requests are resolved in itself.
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
    // Readers may be about to retain it.
    di_quiesce()
    Unmanaged<Object>.fromOpaque(old).release()
  }

  private static let process = Lock<ContextFrame?>(nil)

  /// The innermost frame pushed outside every scope, which affects the whole process.
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

  /// Ends the scope and releases the instances that it kept.
  ///
  /// Its doubles stay for work that still carries the frame: such late requests are reported, and
  /// get a double or nothing, never a live service.
  package func end() {
    // Instances are torn down while the scope is still open, and so are those that this creates
    // anew, unless that never ends.
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
