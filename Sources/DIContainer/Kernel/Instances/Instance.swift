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
