public import Foundation

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
    let data = try file.read()
    let value: PropertyValue
    do {
      let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
      value = Self.value(list)
    } catch {
      throw PropertyError(.malformed("it is not a property list."), source: source)
    }
    guard case .dictionary(let properties) = value else {
      throw PropertyError(.noDictionary(found: value.typeName), source: source)
    }
    return properties
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
