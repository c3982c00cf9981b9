public import Foundation

/// A source of properties that a container provides by name.
///
/// ```swift
/// struct EnvironmentLoader: PropertyLoader {
///   let source = "the environment"
///   func load() -> [String: PropertyValue] { ["region": .string("eu")] }
/// }
/// ```
///
/// It is isolated to no actor, even in a module whose default isolation is the main actor.
public protocol PropertyLoader: SendableMetatype {
  /// The name of the source for diagnoses, such as a file's name.
  var source: String { get }

  /// Returns all properties.
  ///
  /// If it throws, the properties loaded before stay unchanged.
  func load() throws -> [String: PropertyValue]
}

/// A loader of properties from a JSON file whose outermost value is an object.
///
/// The file may have comments and trailing commas, as JSON5 allows.
public struct JsonPropertyLoader: PropertyLoader {
  private let file: PropertyFile

  /// Creates a loader of a file in a bundle's resources.
  ///
  /// `JsonPropertyLoader(bundle: .main, name: "properties")` reads `properties.json`.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - name: The file's name without `.json`.
  public init(bundle: Bundle = .main, name: String) {
    file = PropertyFile(bundle: bundle, name: name, extension: "json")
  }

  /// Creates a loader of the file at a URL.
  public init(url: URL) {
    file = PropertyFile(url: url)
  }

  /// The file's name.
  public var source: String { file.name }

  /// Returns the file's properties.
  public func load() throws -> [String: PropertyValue] {
    try file.properties(or: "it is not valid JSON.") {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      return try decoder.decode(JsonValue.self, from: $0).value
    }
  }
}

/// A loader of properties from a property list whose outermost value is a dictionary.
public struct PlistPropertyLoader: PropertyLoader {
  private let file: PropertyFile

  /// Creates a loader of a file in a bundle's resources.
  ///
  /// `PlistPropertyLoader(bundle: .main, name: "Shop")` reads `Shop.plist`.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - name: The file's name without `.plist`.
  public init(bundle: Bundle = .main, name: String) {
    file = PropertyFile(bundle: bundle, name: name, extension: "plist")
  }

  /// Creates a loader of the file at a URL.
  public init(url: URL) {
    file = PropertyFile(url: url)
  }

  /// The file's name.
  public var source: String { file.name }

  /// Returns the file's properties.
  public func load() throws -> [String: PropertyValue] {
    try file.properties(or: "it is not a property list.") {
      Self.value(try PropertyListSerialization.propertyList(from: $0, options: [], format: nil))
    }
  }

  private static func value(_ any: Any) -> PropertyValue {
    switch any {
    case let text as String: return .string(text)
    case let date as Date: return .other(date)
    case let data as Data: return .other(data)
    case let values as [String: Any]: return .dictionary(values.mapValues(value))
    case let values as [Any]: return .array(values.map(value))
    default: return number(any)
    }
  }

  // Truth values and numbers share one class, and cast to either; its type code distinguishes them.
  private static func number(_ any: Any) -> PropertyValue {
    guard let number = any as? NSNumber else { return .string("\(any)") }
    switch String(cString: number.objCType) {
    case "c", "B": return .bool(number.boolValue)
    case "d", "f": return .double(number.doubleValue)
    default: return Int(exactly: number).map { .int($0) } ?? .double(number.doubleValue)
    }
  }
}

/// A JSON value that keeps truth values apart from numbers, and fractions of numbers.
private struct JsonValue: Decodable {
  let value: PropertyValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let bool = try? container.decode(Bool.self) {
      value = .bool(bool)
    } else if let int = try? container.decode(Int.self) {
      value = .int(int)
    } else if let double = try? container.decode(Double.self) {
      value = .double(double)
    } else if let string = try? container.decode(String.self) {
      value = .string(string)
    } else if let array = try? container.decode([JsonValue].self) {
      value = .array(array.map(\.value))
    } else {
      value = .dictionary(try container.decode([String: JsonValue].self).mapValues(\.value))
    }
  }
}

/// A file that is located when it is read.
struct PropertyFile {
  let name: String
  private let find: @Sendable () -> URL?

  init(bundle: Bundle, name: String, extension: String) {
    self.name = "\(name).\(`extension`)"
    find = { bundle.url(forResource: name, withExtension: `extension`) }
  }

  init(url: URL) {
    name = url.lastPathComponent
    find = { url }
  }

  /// Returns the values of the file's outermost dictionary, which `parse` finds in its content.
  func properties(
    or malformed: String, _ parse: (Data) throws -> PropertyValue
  ) throws(PropertyError) -> [String: PropertyValue] {
    let data = try read()
    guard let value = try? parse(data) else {
      throw PropertyError(.malformed(malformed), source: name)
    }
    guard case .dictionary(let properties) = value else {
      throw PropertyError(.noDictionary(found: value.typeName), source: name)
    }
    return properties
  }

  private func read() throws(PropertyError) -> Data {
    guard let url = find(), FileManager.default.fileExists(atPath: url.path) else {
      throw PropertyError(.missingFile, source: name)
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw PropertyError(.malformed(error.localizedDescription), source: name)
    }
  }
}
