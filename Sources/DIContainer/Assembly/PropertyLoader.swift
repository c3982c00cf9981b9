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

extension PropertyLoader {
  /// Loads the properties, and converts the errors that this throws.
  func loaded() throws(PropertyError) -> [String: PropertyValue] {
    do {
      return try load()
    } catch let error as PropertyError {
      throw error
    } catch {
      throw PropertyError(.malformed("\(error)"), source: source)
    }
  }
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
      return try decoder.decode(FileValue.self, from: $0).value
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
      try PropertyListDecoder().decode(FileValue.self, from: $0).value
    }
  }
}

/// A value in a file that keeps truth values apart from numbers, and fractions of numbers.
private struct FileValue: Decodable {
  let value: PropertyValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
    value =
      if container.decodeNil() {
        .null
      } else if let bool = read(Bool.self) {
        .bool(bool)
      } else if let int = read(Int.self) {
        .int(int)
      } else if let double = read(Double.self) {
        .double(double)
      } else if let string = read(String.self) {
        .string(string)
      } else if let array = read([FileValue].self) {
        .array(array.map(\.value))
      } else if let values = read([String: FileValue].self) {
        .dictionary(values.mapValues(\.value))
      } else if let date = read(Date.self) {
        .other(date)
      } else {
        .other(try container.decode(Data.self))
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
