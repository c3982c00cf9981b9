/// The value of a property.
public enum PropertyValue: Sendable {
  /// A text.
  case string(String)
  /// True or false.
  case bool(Bool)
  /// A number without a fraction.
  case int(Int)
  /// A number.
  case double(Double)
  /// A list.
  case array([PropertyValue])
  /// Values by key.
  case dictionary([String: PropertyValue])
  /// JSON's null: the property exists and has no value.
  case null
  /// A value of a type that only some sources have, such as a property list's date.
  case other(any Sendable)

  /// The type as written in source code, for diagnoses.
  var typeName: String {
    switch self {
    case .string: "String"
    case .bool: "Bool"
    case .int: "Int"
    case .double: "Double"
    case .array(let values): "[\(Self.common(values))]"
    case .dictionary(let values): "[String: \(Self.common(Array(values.values)))]"
    case .null: "null"
    case .other(let value): describe(type(of: value))
    }
  }

  private static func common(_ values: [PropertyValue]) -> String {
    let names = Set(values.map(\.typeName))
    if names == ["null"] { return "Any?" }
    return names.count == 1 ? names.first! : "Any"
  }
}

extension PropertyValue {
  /// Returns the value converted to a type, or nil if that fails.
  func converted<T>(to type: T.Type) -> T? {
    if let optional = type as? any OptionalType.Type {
      if case .null = self { return (optional.none as! T) }
      // Cast as it is, a failed conversion would become an optional that contains nil.
      func wrapped<Wrapped>(_ type: Wrapped.Type) -> Any? { converted(to: type) }
      return wrapped(optional.wrapped).flatMap { $0 as? T }
    }
    if type == PropertyValue.self { return self as? T }
    if let type = type as? any ReadsProperty.Type { return type.init(property: self) as? T }
    return raw as? T
  }

  /// The value in the form of the type that it has; a null is an optional's nil.
  private var raw: Any {
    switch self {
    case .string(let value): value
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .array(let values): values.map(\.raw)
    case .dictionary(let values): values.mapValues(\.raw)
    case .null: Any?.none as Any
    case .other(let value): value
    }
  }
}

/// A type that a property is converted to rather than cast.
private protocol ReadsProperty {
  init?(property: PropertyValue)
}

extension Double: ReadsProperty {
  /// Creates the property's number, if it is a number.
  init?(property: PropertyValue) {
    switch property {
    case .int(let value): self = Double(value)
    case .double(let value): self = value
    default: return nil
    }
  }
}

extension Array: ReadsProperty {
  /// Creates the property's list, if every value in it can be read as an element.
  init?(property: PropertyValue) {
    guard case .array(let values) = property else { return nil }
    let elements = values.compactMap { $0.converted(to: Element.self) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

extension Dictionary: ReadsProperty {
  /// Creates the property's values by key, if each can be read as a value.
  init?(property: PropertyValue) {
    guard Key.self == String.self, case .dictionary(let values) = property else { return nil }
    self.init(minimumCapacity: values.count)
    for (key, value) in values {
      guard let value = value.converted(to: Value.self) else { return nil }
      self[key as! Key] = value
    }
  }
}
