/// An instance of any type, in one word: of a class the object itself, of any other type a box.
///
/// The path from a request to an instance depends on no service type: only the factory and the
/// requesting code know it.
@frozen @usableFromInline
package struct Instance {
  /// The object itself, or a `Box`.
  @usableFromInline let object: AnyObject

  @inlinable @inline(__always)
  init(object: AnyObject) { self.object = object }

  // Generic code calls it, so that an instance of a protocol type is boxed as one, and not opened.
  @inlinable @inline(__always)
  package init<Service>(_ service: Service) {
    object = isClass(Service.self) ? unsafeBitCast(service, to: AnyObject.self) : Box(service)
  }

  /// Creates an instance of a type that is known at run time only.
  init(_ service: Any, as type: Any.Type) {
    func instance<Service>(_ type: Service.Type) -> Instance { Instance(service as! Service) }
    self = instance(type)
  }

  /// Returns the nil of a type that is an optional.
  static func none(of type: Any.Type) -> Instance {
    (type as! any OptionalType.Type).noneAsInstance
  }

  /// Returns the instance as the type that it was made with.
  @inlinable @inline(__always)
  package func value<Service>(as type: Service.Type) -> Service {
    isClass(type)
      ? unsafeBitCast(object, to: type) : unsafeDowncast(object, to: Box<Service>.self).value
  }

  /// The instance, for code that does not know its type.
  var any: Any { (object as? AnyBox)?.any ?? object }

  /// The object, if it is a class instance, also one that is requested as a protocol.
  var classInstance: AnyObject? {
    guard let box = object as? AnyBox else { return object }
    return box.classInstance
  }
}

extension OptionalType {
  fileprivate static var noneAsInstance: Instance { Instance(none) }
}

/// Whether instances of a type are references to objects and nothing else.
@inlinable @inline(__always)
func isClass<Service>(_ type: Service.Type) -> Bool { type is AnyClass }

// The layouts are fixed because users' code makes boxes, also where the library is built for
// evolution.

/// A box around an instance of a type that is no class.
@_fixed_layout @usableFromInline
class AnyBox {
  @inlinable
  init() {}

  fileprivate var any: Any { fatalError("a box without a type") }
  fileprivate var classInstance: AnyObject? { nil }
}

@_fixed_layout @usableFromInline
final class Box<Service>: AnyBox {
  @usableFromInline let value: Service

  @inlinable
  init(_ value: Service) { self.value = value }

  override var any: Any { value }

  override var classInstance: AnyObject? {
    if let optional = value as? any OptionalType, MemoryLayout<Service>.size > 0 {
      return optional.content.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
    }
    return type(of: any) is AnyClass ? any as AnyObject : nil
  }
}

// MARK: - Kept instances

/// An instance that a keeper keeps, strongly or weakly.
///
/// The last reference to it is released under no lock: the tear-down closure runs then.
@usableFromInline
final class KeptInstance {
  /// A closure that receives a released instance.
  typealias OnRelease = (Instance) -> Void

  /// The instance, if it is kept strongly.
  let strong: Instance?
  /// The keepers of the instances, if there is one for each parameter.
  let byParameter: ParameterKeepers?
  private weak var object: AnyObject?
  /// Whether a weakly kept instance is requested as another type than a class.
  private let isBoxed: Bool
  /// It changes only before the instance is kept, and while nobody else knows it.
  private var onRelease: OnRelease?

  init(_ instance: Instance, _ onRelease: OnRelease? = nil) {
    strong = instance
    byParameter = nil
    isBoxed = false
    self.onRelease = onRelease
  }

  init(_ byParameter: ParameterKeepers) {
    strong = nil
    self.byParameter = byParameter
    isBoxed = false
  }

  /// Creates a weak reference; fails for a value.
  init?(weakly instance: Instance) {
    guard let object = instance.classInstance else { return nil }
    strong = nil
    byParameter = nil
    isBoxed = object !== instance.object
    self.object = object
  }

  deinit {
    if let strong, let onRelease { onRelease(strong) }
  }

  /// Drops the tear-down closure of an instance that no keeper keeps.
  func dropOnRelease() { onRelease = nil }

  /// An object that keeps the instance alive, and exists as long as the instance does.
  var evidence: AnyObject? { strong == nil ? object ?? byParameter?.evidence : self }

  /// The form in which it can be kept again: of instances by parameter those that there are now.
  var saved: KeptInstance { byParameter.map { KeptInstance($0.copy) } ?? self }

  /// Returns the instance of a type; nil if it no longer exists, or is of the type on its actor
  /// only.
  func instance(of type: Any.Type) -> Instance? {
    if let strong { return strong }
    guard let object else { return nil }
    if !isBoxed { return Instance(object: object) }
    func cast<Service>(_ type: Service.Type) -> Instance? {
      (object as? Service).map { Instance($0) }
    }
    return cast(type)
  }

  @usableFromInline
  func value<Service>(as type: Service.Type) -> Service? {
    instance(of: type)?.value(as: type)
  }
}
