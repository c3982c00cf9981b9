/// A requested service, and the place of the request.
///
/// The caller keeps it, on its stack in optimised code, and passes it on as `Borrowed`: copying it
/// into every stack frame would cost some 5 ns per request.
@usableFromInline
@frozen
package struct Request {
  @usableFromInline package let type: Any.Type
  @usableFromInline package let name: Resolver.Name?
  /// The property, if requested by key path.
  @usableFromInline package let property: PropertyKey?
  @usableFromInline package let location: CodeLocation
  /// The property as its code declares it, if requested by key path on the general path.
  @usableFromInline let declared: DeclaredProperty?

  @inlinable @inline(__always)
  package init(_ type: Any.Type, name: Resolver.Name?, location: CodeLocation) {
    self.type = type
    self.name = name
    property = nil
    self.location = location
    declared = nil
  }

  /// Creates a request by key path.
  @inlinable @inline(__always)
  init(
    _ type: Any.Type, _ property: PropertyKey, location: CodeLocation,
    declared: DeclaredProperty? = nil
  ) {
    self.type = type
    name = nil
    self.property = property
    self.location = location
    self.declared = declared
  }

  package init(_ key: ServiceKey, location: CodeLocation) {
    type = key.type
    name = key.name
    property = key.property
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
      Borrowed<Request>, Borrowed<Any>?, InstanceMemory
    ) throws -> Result
  ) rethrows -> Result {
    #if DEBUG
    let request = onHeap(type, name: name, location: location)
    let out = InstanceMemory.onHeap(type)
    let arguments = args.map(Borrowed.onHeap)
    defer { free(request, arguments, out) }
    return try body(request, arguments, out)
    #else
    try withMemory(type, name: name, location: location) { request, out in
      try withArguments(args) { try body(request, $0, out) }
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
    _ deliver: (Borrowed<Request>, InstanceMemory) -> Void
  ) -> Service {
    #if DEBUG
    let request = onHeap(type, name: name, location: location)
    let out = InstanceMemory.onHeap(type)
    defer { free(request, nil, out) }
    deliver(request, out)
    return out.move(as: type)
    #else
    // `withUnsafeTemporaryAllocation` makes a `Result` in code that is not specialised for one
    // service, and looks up its metadata: half of a request's cost when ten thousand types are
    // requested in turn. So it is in a function of its own.
    if _isConcrete(type) || !ResultWords.fits(type) {
      return withConcrete(type, name: name, location: location, deliver)
    }
    var words = ResultWords()
    return words.withMemory { out in
      Request(type, name: name, location: location).withBorrowed { deliver($0, out) }
      return out.move(as: type)
    }
    #endif
  }

  #if !DEBUG
  @inlinable
  package static func withConcrete<Service>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ deliver: (Borrowed<Request>, InstanceMemory) -> Void
  ) -> Service {
    withMemory(type, name: name, location: location) { request, out in
      deliver(request, out)
      return out.move(as: type)
    }
  }

  /// Runs `body` with a request and memory for the result.
  @inlinable @inline(__always)
  package static func withMemory<Service, Result>(
    _ type: Service.Type, name: Resolver.Name?, location: CodeLocation,
    _ body: (Borrowed<Request>, InstanceMemory) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = InstanceMemory(memory)
      return try withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
        let request = Borrowed(Request(type, name: name, location: location), in: memory)
        defer { if name != nil { memory.deinitialize() } }
        return try body(request, out)
      }
    }
  }
  #endif

  #if DEBUG
  @usableFromInline
  package static func onHeap(
    _ type: Any.Type, name: Resolver.Name?, location: CodeLocation
  ) -> Borrowed<Request> {
    .onHeap(Request(type, name: name, location: location))
  }

  @usableFromInline
  package static func free(
    _ request: Borrowed<Request>, _ args: Borrowed<Any>?, _ out: InstanceMemory
  ) {
    request.free()
    args?.free()
    out.free()
  }
  #endif

  /// Calls a closure with the request in memory.
  @inlinable @inline(__always)
  package func withBorrowed<Result>(
    _ body: (Borrowed<Request>) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: self) { try body(Borrowed($0)) }
  }

  package var key: ServiceKey { ServiceKey(type, name: name, property: property) }
  /// The request as the last link of a chain.
  package var chainLink: ChainLink { ChainLink(key: key, location: location) }
}
