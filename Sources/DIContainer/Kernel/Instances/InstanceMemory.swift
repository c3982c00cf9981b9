/// The memory of one instance, into which whoever requests it has it put.
///
/// The path from a request to an instance depends on no service type: only the factory, the box of
/// a kept instance and the requesting code know it.
@frozen @usableFromInline
package struct InstanceMemory {
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  package init(_ address: UnsafeMutableRawPointer) { self.address = address }

  /// Creates the memory of the first instance of a buffer.
  @inlinable @inline(__always)
  package init<Service>(_ buffer: UnsafeMutableBufferPointer<Service>) {
    address = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
  }

  /// Allocates uninitialised memory, to be freed with `free`.
  @usableFromInline
  package static func onHeap<Service>(_ type: Service.Type) -> InstanceMemory {
    InstanceMemory(UnsafeMutablePointer<Service>.allocate(capacity: 1))
  }

  /// Frees uninitialised memory of the heap.
  @usableFromInline
  package func free() { address.deallocate() }
}

// MARK: - Instances of a known type

extension InstanceMemory {
  /// Puts an instance into uninitialised memory.
  ///
  /// The type is a parameter so that an existential is stored as one, and not opened.
  @inlinable @inline(__always)
  package func initialize<Service>(as type: Service.Type, to service: consuming Service) {
    address.initializeMemory(as: Service.self, to: service)
  }

  /// Returns a copy of the instance.
  @inlinable @inline(__always)
  package func load<Service>(as type: Service.Type) -> Service {
    address.assumingMemoryBound(to: Service.self).pointee
  }

  /// Returns the instance, and leaves the memory uninitialised.
  @inlinable @inline(__always)
  package func move<Service>(as type: Service.Type) -> Service {
    address.assumingMemoryBound(to: Service.self).move()
  }
}

// MARK: - Instances of a type that is known at run time only

extension InstanceMemory {
  /// Calls a closure with uninitialised memory for an instance.
  static func with<Result>(
    _ type: Any.Type, _ body: (InstanceMemory) throws -> Result
  ) rethrows -> Result {
    func run<Service>(
      _ type: Service.Type, _ body: (InstanceMemory) throws -> Result
    ) rethrows -> Result {
      try withUnsafeTemporaryAllocation(of: type, capacity: 1) { try body(InstanceMemory($0)) }
    }
    return try run(type, body)
  }

  /// Calls a closure with memory that holds a copy of an instance.
  @inline(__always)
  static func with<Service, Result>(
    copyOf service: Service, as type: Service.Type, _ body: (InstanceMemory) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: service) {
      try body(InstanceMemory(UnsafeMutableRawPointer(mutating: $0)))
    }
  }

  /// Destroys the instance.
  func destroy(_ type: Any.Type) {
    func destroy<Service>(_ type: Service.Type) {
      address.assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    destroy(type)
  }

  /// Puts a copy of an instance, which is of the type, into memory.
  func initialize(to instance: Any, of type: Any.Type) {
    func store<Service>(_ type: Service.Type) { initialize(as: type, to: instance as! Service) }
    store(type)
  }

  /// Returns a copy of the instance.
  func load(_ type: Any.Type) -> Any {
    func load<Service>(_ type: Service.Type) -> Any { self.load(as: type) }
    return load(type)
  }

  /// Returns the object in memory, if a class instance is there.
  func object(_ type: Any.Type) -> AnyObject? {
    func object<Service>(_ type: Service.Type) -> AnyObject? { classInstance(load(as: type)) }
    return type is AnyClass ? load(as: AnyObject.self) : object(type)
  }
}

extension OptionalType {
  /// Stores nil in uninitialised memory.
  static func storeNone(to memory: InstanceMemory) { memory.initialize(as: Self.self, to: none) }
}

/// Inline memory of a few words for the result of a request, which most services fit in.
@frozen @usableFromInline
struct ResultWords {
  // The size of a service requested as a protocol with two parents.
  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

  @inlinable @inline(__always)
  init() {}

  /// Whether an instance of a type fits.
  @inlinable @inline(__always)
  static func fits<Service>(_ type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<ResultWords>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<ResultWords>.alignment
  }

  /// Calls a closure with the words as memory for an instance, which it moves out again.
  @inlinable @inline(__always)
  mutating func withMemory<Result>(
    _ body: (InstanceMemory) throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointer(to: &self) { try body(InstanceMemory($0)) }
  }
}
