internal import DIPrimitives

// The resolutions under way on a thread: a linked list through their stack frames. It answers
// "is this a cycle?", gives errors their chain, and tells where a resolution cycle ends.

/// What was asked for, and where.
///
/// The asker keeps it on its stack and passes its address on: copying it into every frame would
/// cost some 5 ns a request.
@usableFromInline
package struct Request {
  @usableFromInline package let type: Any.Type
  @usableFromInline package let name: Resolver.Name?
  /// Properties live for ever, so no reference is counted.
  @usableFromInline let propertyReference: Unmanaged<PropertyKey>?
  @usableFromInline package let location: CodeLocation

  @inlinable @inline(__always)
  package init(
    _ type: Any.Type, name: Resolver.Name?, property: PropertyKey? = nil, location: CodeLocation
  ) {
    self.type = type
    self.name = name
    self.propertyReference = property.map(Unmanaged.passUnretained)
    self.location = location
  }

  /// A request by key path.
  @inlinable @inline(__always)
  init(_ type: Any.Type, _ place: Unmanaged<Declaration>, location: CodeLocation) {
    self.type = type
    name = nil
    propertyReference = place._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.property) }
    self.location = location
  }

  /// Runs `body` with a request, and the arguments if there are any, on the stack.
  ///
  @inlinable @inline(__always)
  package static func with<Service, Result>(
    _ type: Service.Type, name: Resolver.Name?, args: Any?, location: CodeLocation,
    _ body: (UnsafePointer<Request>, UnsafePointer<Any>?) throws -> Result
  ) rethrows -> Result {
    try with(type, name: name, location: location) { request in
      guard let args else { return try body(request, nil) }
      return try withUnsafePointer(to: args) { try body(request, $0) }
    }
  }

  /// Runs `body` with a request on the stack.
  ///
  /// Where `name` is nil in the source, as it is in most, the compiler sees it and nothing is left
  /// but the stores; destroying a nil costs 3 ns.
  @inlinable @inline(__always)
  package static func with<Service, Result>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ body: (UnsafePointer<Request>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
      let request = memory.baseAddress.unsafelyUnwrapped
      request.initialize(to: Request(type, name: name, location: location))
      defer { if name != nil { request.deinitialize(count: 1) } }
      return try body(UnsafePointer(request))
    }
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
  /// On the stack of whoever asked, which is below this frame and outlives it.
  let requested: UnsafePointer<Request>

  var request: Request { requested.pointee }
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
