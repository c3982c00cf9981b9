internal import DIPrimitives

// The resolutions under way on a thread: a linked list through their stack frames. It answers
// "is this a cycle?", gives errors their chain, and tells where a resolution cycle ends.

/// What was asked for, and where.
package struct Request {
  package let type: Any.Type
  package let name: Resolver.Name?
  /// Properties live for ever, so no reference is counted.
  let propertyReference: Unmanaged<PropertyKey>?
  package let location: CodeLocation

  @inline(__always)
  package init(
    _ type: Any.Type, name: Resolver.Name?, property: PropertyKey? = nil, location: CodeLocation
  ) {
    self.type = type
    self.name = name
    self.propertyReference = property.map(Unmanaged.passUnretained)
    self.location = location
  }

  package var property: PropertyKey? { propertyReference?.takeUnretainedValue() }
  package var key: ServiceKey { ServiceKey(type, name: name, property: property) }
}

/// One resolution under way.
struct ResolutionFrame {
  let parent: UnsafeMutablePointer<ResolutionFrame>?
  let registration: UInt64
  let hasArguments: Bool
  /// The once-state that the resolution builds for, if any.
  let slot: UnsafeMutableRawPointer?
  /// The recorded event that the resolution belongs to, or 0.
  let event: UInt64
  let request: Request
}

/// A link of the chain that led to a request.
package struct ChainLink: Sendable, Hashable {
  package let key: ServiceKey
  package let location: CodeLocation
}

enum ResolutionStack {
  /// The chain on a thread, outermost first, from the resolution that builds for `slot` on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>, from slot: UnsafeMutableRawPointer? = nil
  ) -> [ChainLink] {
    var links: [ChainLink] = []
    var next = innermost(thread)
    while let frame = next {
      let request = frame.pointee.request
      links.append(ChainLink(key: request.key, location: request.location))
      if slot != nil, frame.pointee.slot == slot { break }
      next = frame.pointee.parent
    }
    return links.reversed()
  }

  /// The chain on the calling thread from one of its resolutions on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>,
    fromFrame first: UnsafeMutablePointer<ResolutionFrame>
  ) -> [ChainLink] {
    var links: [ChainLink] = []
    var next = innermost(thread)
    while let frame = next {
      let request = frame.pointee.request
      links.append(ChainLink(key: request.key, location: request.location))
      if frame == first { break }
      next = frame.pointee.parent
    }
    return links.reversed()
  }

  @inline(__always)
  static func innermost(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<ResolutionFrame>? {
    di_frames(thread)?.assumingMemoryBound(to: ResolutionFrame.self)
  }

  /// The chain on the calling thread, outermost first.
  static var current: [ChainLink] { chain(of: di_thread_get()) }

  /// What the innermost resolution on the calling thread is for.
  static var innermostKey: ServiceKey? { innermost(di_thread_get())?.pointee.request.key }

  static var isEmpty: Bool { di_frames(di_thread_get()) == nil }
}
