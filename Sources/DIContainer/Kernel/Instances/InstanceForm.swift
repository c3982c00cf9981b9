// The memory layout of a type's instances, as far as the kernel uses it to find the object of one
// without a dynamic cast: for a service that is requested as a protocol a cast costs more than the
// rest of a resolution.

/// The position of the object in the memory of a service.
enum InstanceForm: UInt8 {
  /// The first word is a reference to it and the others hold no references: the service is
  /// requested as a class, or as a protocol that only classes conform to.
  case reference
  /// The fourth word is the type, and the first a reference to the object if that is a class: the
  /// service is requested as any other protocol.
  case existential
  /// Only a cast can tell: values, optionals, errors.
  case other

  /// Returns the form and the size of a type's instances.
  static func formAndSize(_ type: Any.Type) -> (InstanceForm, Int) {
    func size<Service>(_ type: Service.Type) -> Int { MemoryLayout<Service>.size }
    let size = size(type)
    return (InstanceForm(of: type, size: size), size)
  }

  init(of type: Any.Type, size: Int) {
    let metadata = Metadata(type)
    if metadata.isClass {
      self = .reference
    } else if metadata.isExistential, !metadata.isSpecial, size <= ServiceWords.count * 8 {
      self = metadata.holdsValues ? .existential : .reference
    } else {
      self = .other
    }
  }

  /// Returns the object if a reference to it is all that the service in `memory` holds, as far as
  /// known.
  @inline(__always)
  func object(in memory: UnsafeRawPointer) -> Unmanaged<AnyObject>? {
    switch self {
    case .reference:
      break
    case .existential:
      guard Metadata(memory.load(fromByteOffset: 24, as: UnsafeRawPointer.self)).isClass else {
        return nil
      }
    case .other:
      return nil
    }
    return .fromOpaque(memory.load(as: UnsafeRawPointer.self))
  }
}

/// Returns a class instance as an object, also if it is the content of an optional; otherwise nil.
func classInstance<Service>(_ service: Service) -> AnyObject? {
  if Service.self is AnyClass { return unsafeBitCast(service, to: AnyObject.self) }
  if let optional = service as? any OptionalType, MemoryLayout<Service>.size > 0 {
    guard let content = optional.content else { return nil }
    return type(of: content) is AnyClass ? content as AnyObject : nil
  }
  let any: Any = service
  return type(of: any) is AnyClass ? any as AnyObject : nil
}
