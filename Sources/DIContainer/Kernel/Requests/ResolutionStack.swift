internal import DIPrimitives

// The current resolutions of a thread: a linked list, innermost first. It detects cycles, provides
// the chain of an error, and marks the end of a resolution cycle.

extension di_frame {
  /// The request of the step, in memory of its caller, which still waits for the result.
  ///
  /// It is nil for a step that groups several requests.
  var asked: UnsafePointer<Request>? { requested?.assumingMemoryBound(to: Request.self) }
}

/// A link of the chain that led to a request.
package struct ChainLink: Sendable, Hashable {
  package let key: ServiceKey
  package let location: CodeLocation

  package init(key: ServiceKey, location: CodeLocation) {
    self.key = key
    self.location = location
  }
}

enum ResolutionStack {
  /// Returns the current resolutions of a thread, innermost first.
  static func steps(
    of thread: UnsafeMutablePointer<di_thread> = di_thread_get()
  ) -> some Sequence<UnsafeMutablePointer<di_frame>> {
    sequence(state: di_frames(thread)) { next in
      defer { next = next?.pointee.parent }
      return next
    }
  }

  /// Returns the chain of a thread, outermost first, from the innermost resolution that satisfies a
  /// predicate on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>,
    from fits: (UnsafeMutablePointer<di_frame>) -> Bool
  ) -> [ChainLink] {
    var links: [ChainLink] = []
    for step in steps(of: thread) {
      if let asked = step.pointee.asked { links.append(asked.pointee.chainLink) }
      if fits(step) { break }
    }
    return links.reversed()
  }

  /// Returns the chain of a thread, outermost first, from the resolution that builds for `slot` on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>, from slot: UnsafeMutableRawPointer
  ) -> [ChainLink] {
    chain(of: thread) { $0.pointee.slot == slot }
  }

  /// The chain of the calling thread, outermost first.
  static var current: [ChainLink] { chain(of: di_thread_get()) { _ in false } }

  /// Returns the event of the innermost resolution of a thread that has one, or 0.
  @inline(__always)
  static func innermostEvent(_ thread: UnsafeMutablePointer<di_thread>) -> UInt64 {
    var next = di_frames(thread)
    while let frame = next {
      if frame.pointee.event != 0 { return frame.pointee.event }
      next = frame.pointee.parent
    }
    return 0
  }

  static var isEmpty: Bool { di_frames(di_thread_get()) == nil }
}
