// Holders of instances: of those that are kept, and of those that an object graph shares. What
// readers use of a box is immutable, so they need no lock. They copy the instance into memory of
// the caller, so the path from a request to a kept instance depends on no service type.

/// A holder of one instance of any type.
///
/// The last reference to it is released under no lock: the instance's tear-down closure runs then.
@usableFromInline
package class AnyBox {
  /// A closure that receives a released instance.
  typealias OnRelease = (InstanceMemory) -> Void

  /// Drops the tear-down closure of an instance that no keeper keeps.
  ///
  /// No other thread uses the box.
  func dropOnRelease() {}

  /// Copies the instance to uninitialised memory; returns false if it no longer exists.
  func copy(to out: InstanceMemory) -> Bool { false }
  /// An object that keeps the instance alive, and exists as long as the instance does.
  var evidence: AnyObject? { self }

  /// Returns a box that keeps a copy of the instance in memory.
  static func strong(
    _ memory: InstanceMemory, of type: Any.Type, onRelease: OnRelease? = nil
  ) -> AnyBox {
    if type is AnyClass { return ObjectBox(memory.load(as: AnyObject.self), onRelease) }
    func box<Service>(_ type: Service.Type) -> AnyBox {
      StrongBox(memory.load(as: type), onRelease)
    }
    return box(type)
  }

  /// Returns a box with the instance that a closure puts into memory, or nil if it returns false.
  static func strong(
    of type: Any.Type, _ make: (InstanceMemory) throws -> Bool
  ) rethrows -> AnyBox? {
    try InstanceMemory.with(type) { memory in
      guard try make(memory) else { return nil }
      defer { memory.destroy(type) }
      return strong(memory, of: type)
    }
  }

  /// Calls a closure with memory that holds a copy of the instance, which is of the type; returns
  /// nil if it no longer exists.
  func withCopy<Result>(
    of type: Any.Type, _ body: (InstanceMemory) throws -> Result
  ) rethrows -> Result? {
    try InstanceMemory.with(type) { memory in
      guard copy(to: memory) else { return nil }
      defer { memory.destroy(type) }
      return try body(memory)
    }
  }

  /// Returns the instance, which is of the type, or nil if it no longer exists.
  @usableFromInline
  func load<Service>(as type: Service.Type) -> Service? {
    withUnsafeTemporaryAllocation(of: type, capacity: 1) { memory in
      let out = InstanceMemory(memory)
      return copy(to: out) ? out.move(as: type) : nil
    }
  }

  /// Returns a box that references the instance in memory weakly; nil if it is no class instance.
  static func weak(_ memory: InstanceMemory, of type: Any.Type) -> AnyBox? {
    if type is AnyClass { return WeakObjectBox(memory.load(as: AnyObject.self)) }
    func box<Service>(_ type: Service.Type) -> AnyBox? { WeakBox(memory.load(as: type)) }
    return box(type)
  }
}

/// A holder of an instance until it is released.
final class StrongBox<Service>: AnyBox {
  private let value: Service
  private var onRelease: OnRelease?

  init(_ value: Service, _ onRelease: OnRelease? = nil) {
    self.value = value
    self.onRelease = onRelease
  }

  override func copy(to out: InstanceMemory) -> Bool {
    out.initialize(as: Service.self, to: value)
    return true
  }

  override func dropOnRelease() { onRelease = nil }

  deinit {
    if let onRelease { InstanceMemory.with(copyOf: value, as: Service.self, onRelease) }
  }
}

/// A weak reference to an instance.
final class WeakBox<Service>: AnyBox {
  private weak var object: AnyObject?

  /// Creates a weak reference; fails for a value.
  init?(_ service: Service) {
    guard let object = classInstance(service) else { return nil }
    self.object = object
  }

  override func copy(to out: InstanceMemory) -> Bool {
    guard let object, let service = object as? Service else { return false }
    out.initialize(as: Service.self, to: service)
    return true
  }

  override var evidence: AnyObject? { object }
}

// Most services are requested as a class. A reference to an instance of any class is one to an
// `AnyObject`: these boxes are the same for all classes, and copy it without looking up a type.

/// A holder of an instance that is requested as a class.
final class ObjectBox: AnyBox {
  private let object: AnyObject
  private var onRelease: OnRelease?

  init(_ object: AnyObject, _ onRelease: OnRelease?) {
    self.object = object
    self.onRelease = onRelease
  }

  override func copy(to out: InstanceMemory) -> Bool {
    out.initialize(as: AnyObject.self, to: object)
    return true
  }

  override func dropOnRelease() { onRelease = nil }

  deinit {
    if let onRelease { InstanceMemory.with(copyOf: object, as: AnyObject.self, onRelease) }
  }
}

/// A weak reference to an instance that is requested as a class.
final class WeakObjectBox: AnyBox {
  private weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }

  override func copy(to out: InstanceMemory) -> Bool {
    guard let object else { return false }
    out.initialize(as: AnyObject.self, to: object)
    return true
  }

  override var evidence: AnyObject? { object }
}

/// Returns a class instance as an object, also if it is the content of an optional; otherwise nil.
func classInstance<Service>(_ service: Service) -> AnyObject? {
  if Service.self is AnyClass { return service as AnyObject }
  if let optional = service as? any OptionalType, MemoryLayout<Service>.size > 0 {
    return optional.content.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }
  let any: Any = service
  return type(of: any) is AnyClass ? any as AnyObject : nil
}

extension OptionalType {
  /// Returns a box with an optional around the instance in a box, or nil.
  static func box(_ content: AnyBox?) -> AnyBox {
    StrongBox(Self(content: content.flatMap { $0.load(as: Wrapped.self) }))
  }
}
