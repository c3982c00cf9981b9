/// A requested service, and the place of the request.
///
/// The caller keeps it, on its stack in optimised code, and passes its address on: copying it into
/// every stack frame would cost some 5 ns per request.
@usableFromInline
@frozen
package struct Request {
  @usableFromInline package let type: Any.Type
  @usableFromInline package let name: Resolver.Name?
  /// The property, if requested by key path; never freed, so no reference is counted.
  @usableFromInline let propertyReference: Unmanaged<PropertyKey>?
  @usableFromInline package let location: CodeLocation
  /// The property as its code declares it, if requested by key path on the general path.
  @usableFromInline let declared: DeclaredProperty?

  @inlinable @inline(__always)
  package init(
    _ type: Any.Type, name: Resolver.Name?, property: PropertyKey? = nil, location: CodeLocation,
    declared: DeclaredProperty? = nil
  ) {
    self.type = type
    self.name = name
    self.propertyReference = property.map(Unmanaged.passUnretained)
    self.location = location
    self.declared = declared
  }

  /// Creates a request by key path.
  @inlinable @inline(__always)
  init(_ type: Any.Type, _ property: Unmanaged<PropertyKey>, location: CodeLocation) {
    self.type = type
    name = nil
    propertyReference = property
    self.location = location
    declared = nil
  }

  // The memory for a request, its arguments and the result. It is on the stack, in the caller's
  // frame, once everything is inlined. Without optimisation each of these closures would have a
  // frame of its own, some 200 to 500 bytes each, and a chain of dependencies would overflow the
  // stack at realistic depths: there the memory comes from the heap, and nothing nests.

  /// Runs `body` with a request, the arguments if there are any, and memory for the result.
  @inlinable @inline(__always)
  package static func with<Service, Result>(
    _ type: Service.Type, name: Resolver.Name?, args: Any?, location: CodeLocation,
    _ body: (
      UnsafePointer<Request>, UnsafePointer<Any>?, UnsafeMutablePointer<Service>
    ) throws -> Result
  ) rethrows -> Result {
    #if DEBUG
    let request = onHeap(Request(type, name: name, location: location))
    let out = UnsafeMutablePointer<Service>.allocate(capacity: 1)
    let arguments = args.map(onHeap)
    defer { free(request, arguments, out) }
    return try body(request, arguments.map { UnsafePointer($0) }, out)
    #else
    try withMemory(type, name: name, location: location) { request, out in
      guard let args else { return try body(request, nil, out) }
      return try withUnsafePointer(to: args) { try body(request, $0, out) }
    }
    #endif
  }

  /// Returns the instance that `deliver` puts into the memory that it gets with a request.
  ///
  /// If `name` is nil in the source, as in most requests, the compiler can tell, and only the
  /// stores remain; destroying a nil costs 3 ns.
  @inlinable @inline(__always)
  package static func with<Service>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ deliver: (UnsafePointer<Request>, UnsafeMutableRawPointer) -> Void
  ) -> Service {
    #if DEBUG
    let request = onHeap(Request(type, name: name, location: location))
    let out = UnsafeMutablePointer<Service>.allocate(capacity: 1)
    defer { free(request, nil, out) }
    deliver(request, UnsafeMutableRawPointer(out))
    return out.move()
    #else
    // `withUnsafeTemporaryAllocation` makes a `Result` in code that is not specialised for one
    // service, and looks up its metadata: half of a request's cost when ten thousand types are
    // requested in turn. So it is in a function of its own.
    if _isConcrete(type) || !ResultWords.fits(type) {
      return withConcrete(type, name: name, location: location, deliver)
    }
    var words = ResultWords()
    var request = Request(type, name: name, location: location)
    return withUnsafeMutablePointer(to: &words) { words in
      let out = UnsafeMutableRawPointer(words)
      withUnsafeMutablePointer(to: &request) { deliver(UnsafePointer($0), out) }
      return out.bindMemory(to: Service.self, capacity: 1).move()
    }
    #endif
  }

  #if !DEBUG
  @inlinable
  package static func withConcrete<Service>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ deliver: (UnsafePointer<Request>, UnsafeMutableRawPointer) -> Void
  ) -> Service {
    withMemory(type, name: name, location: location) { request, out in
      deliver(request, UnsafeMutableRawPointer(out))
      return out.move()
    }
  }

  /// Runs `body` with a request and memory for the result.
  @inlinable @inline(__always)
  package static func withMemory<Service, Result>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ body: (UnsafePointer<Request>, UnsafeMutablePointer<Service>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      return try withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
        let request = memory.baseAddress.unsafelyUnwrapped
        request.initialize(to: Request(type, name: name, location: location))
        defer { if name != nil { request.deinitialize(count: 1) } }
        return try body(UnsafePointer(request), out)
      }
    }
  }
  #endif

  #if DEBUG
  @usableFromInline
  package static func onHeap<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    return memory
  }

  @usableFromInline
  package static func free<Service>(
    _ request: UnsafeMutablePointer<Request>, _ args: UnsafeMutablePointer<Any>?,
    _ out: UnsafeMutablePointer<Service>
  ) {
    request.deinitialize(count: 1).deallocate()
    args?.deinitialize(count: 1).deallocate()
    out.deallocate()
  }
  #endif

  package var property: PropertyKey? { propertyReference?.takeUnretainedValue() }
  package var key: ServiceKey { ServiceKey(type, name: name, property: property) }
  /// The request as the last link of a chain.
  package var chainLink: ChainLink { ChainLink(key: key, location: location) }
}

extension RawKey {
  @inline(__always)
  init(_ request: Request) {
    self.init(request.type, name: request.name, property: request.property)
  }
}

/// Calls a closure with the address of a request's arguments, or nil if there are none.
func withAddress<Result>(
  of args: Any?, _ body: (UnsafePointer<Any>?) throws -> Result
) rethrows -> Result {
  guard let args else { return try body(nil) }
  return try withUnsafePointer(to: args) { try body($0) }
}

/// Inline memory of a few words for the result of a request, which most services fit in.
@frozen @usableFromInline
struct ResultWords {
  // The size of a service requested as a protocol with two parents.
  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  static func fits<Service>(_ type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<ResultWords>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<ResultWords>.alignment
  }
}
