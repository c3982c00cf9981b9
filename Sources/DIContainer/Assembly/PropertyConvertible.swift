/// A type that a property can be read as.
///
/// Conform a type of your own to read properties as values of it:
///
/// ```swift
/// enum Region: String, PropertyConvertible {
///   case europe, asia
///
///   init?(property: PropertyValue) {
///     guard case .string(let name) = property else { return nil }
///     self.init(rawValue: name)
///   }
/// }
/// ```
///
/// The conversion is isolated to no actor, even in a module whose default isolation is the main
/// actor.
public protocol PropertyConvertible: SendableMetatype {
  /// Creates a value, or returns nil if the property cannot be read as one.
  init?(property: PropertyValue)
}

extension PropertyValue {
  /// Returns the value converted to a type, or nil if that fails.
  func converted<T>(to type: T.Type) -> T? {
    if let optional = type as? any OptionalType.Type {
      if case .null = self { return (optional.none as! T) }
      guard let wrapped = optional.wrapped as? any PropertyConvertible.Type else {
        return raw as? T
      }
      // Cast as it is, a failed conversion would become an optional that contains nil.
      guard let value = wrapped.init(property: self) else { return nil }
      return value as? T
    }
    if let convertible = type as? any PropertyConvertible.Type {
      return convertible.init(property: self) as? T
    }
    return raw as? T
  }

  private var raw: Any? {
    switch self {
    case .string(let value): value
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .array(let values): values.map(\.raw)
    case .dictionary(let values): values.mapValues(\.raw)
    case .null: nil
    case .other(let value): value
    }
  }
}

extension String: PropertyConvertible {
  /// Creates the property's text, if it is a string.
  public init?(property: PropertyValue) {
    guard case .string(let value) = property else { return nil }
    self = value
  }
}

extension Bool: PropertyConvertible {
  /// Creates the property's truth value, if it is one; a number is none.
  public init?(property: PropertyValue) {
    guard case .bool(let value) = property else { return nil }
    self = value
  }
}

extension Int: PropertyConvertible {
  /// Creates the property's number, if it is a number without a fraction.
  public init?(property: PropertyValue) {
    guard case .int(let value) = property else { return nil }
    self = value
  }
}

extension Double: PropertyConvertible {
  /// Creates the property's number, if it is a number.
  public init?(property: PropertyValue) {
    switch property {
    case .int(let value): self = Double(value)
    case .double(let value): self = value
    default: return nil
    }
  }
}

extension PropertyValue: PropertyConvertible {
  /// Creates a copy of the property.
  public init?(property: PropertyValue) {
    self = property
  }
}

extension Array: PropertyConvertible {
  /// Creates the property's list, if every value in it can be read as an element.
  public init?(property: PropertyValue) {
    guard case .array(let values) = property else { return nil }
    let elements = values.compactMap { $0.converted(to: Element.self) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

extension Dictionary: PropertyConvertible {
  /// Creates the property's values by key, if each can be read as a value.
  public init?(property: PropertyValue) {
    guard Key.self == String.self, case .dictionary(let values) = property else { return nil }
    self.init(minimumCapacity: values.count)
    for (key, value) in values {
      guard let value = value.converted(to: Value.self) else { return nil }
      self[key as! Key] = value
    }
  }
}
