internal import DIPrimitives

// When a container is deallocated, it releases its nested containers, and they release those nested
// in them in turn: with some ten thousand levels, these calls would overflow the stack. So from
// some depth on a thread leaves the rest to its outermost release.

/// The releases under way on a thread, of objects that may release others in turn.
final class DeepRelease {
  /// The depth to which releases may nest.
  ///
  /// Up to here, everything that a deinit releases is gone before the deinit returns.
  private static let limit = 32

  private var depth = 0
  /// The objects left to the outermost release, the next one last.
  private var rest: [AnyObject] = []

  /// Releases objects in order; nothing else should hold them, so that these are the last
  /// references.
  static func release<Object: AnyObject>(_ objects: inout [Object]) {
    // The next one last.
    var reversed: [AnyObject] = []
    while let last = objects.popLast() { reversed.append(last) }
    let word = di_containers_going()
    if let current = word.pointee {
      Unmanaged<DeepRelease>.fromOpaque(current)._withUnsafeGuaranteedRef {
        $0.release(&reversed)
      }
      return
    }
    let releases = DeepRelease()
    word.pointee = Unmanaged.passUnretained(releases).toOpaque()
    releases.release(&reversed)
    while var next = releases.rest.popLast().map({ [$0] }) { releases.release(&next) }
    withExtendedLifetime(releases) { word.pointee = nil }
  }

  private func release(_ objects: inout [AnyObject]) {
    if depth == Self.limit {
      rest += objects
      objects = []
      return
    }
    depth += 1
    while let next = objects.popLast() { withExtendedLifetime(next) {} }
    depth -= 1
  }
}
