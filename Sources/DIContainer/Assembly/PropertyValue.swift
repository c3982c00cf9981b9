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
    return names.count == 1 ? names.first! : "Any"
  }
}
