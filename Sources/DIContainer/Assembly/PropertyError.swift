public import Foundation

/// A failure to load properties or to read one of them.
///
/// `description` is the whole diagnosis, with the file, the key and both types.
public struct PropertyError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason of a failure.
  public enum Reason: Sendable, Equatable {
    /// The file does not exist.
    case missingFile
    /// The file cannot be read or parsed, with the message of the reader.
    case malformed(String)
    /// The outermost value of the file is no dictionary, with its type.
    case noDictionary(found: String)
    /// No property of that name was loaded, with the requested type and similar names.
    case missingKey(wanted: String, close: [String])
    /// The property has another type than the requested one.
    case wrongType(wanted: String, found: String)
  }

  /// The reason of the failure.
  public let reason: Reason
  /// The file or other source; for a missing key, all sources that were loaded.
  public let source: String
  /// The name of the requested property, if there is one.
  public let key: String?

  /// Creates an error, for loaders of your own.
  public init(_ reason: Reason, source: String, key: String? = nil) {
    self.reason = reason
    self.source = source
    self.key = key
  }

  /// The diagnosis with its remedies.
  public var description: String { diagnosis.text }

  private var diagnosis: Diagnosis {
    let key = key ?? ""
    switch reason {
    case .missingFile:
      return Diagnosis(
        headline: "There is no property file \(source).",
        fixes: ["Add it to the target's resources, or correct the loader's bundle, name or URL."])
    case .malformed(let message):
      return Diagnosis(
        headline: "The property file \(source) cannot be read: \(message)",
        fixes: ["Correct the file. What was loaded before is unchanged."])
    case .noDictionary(let found):
      return Diagnosis(
        headline: "The property file \(source) holds \(found), not values by key.",
        fixes: ["Make its outermost value a dictionary: `{ \"key\": … }`."])
    case .missingKey(let wanted, let close):
      return Diagnosis(
        headline: "No property \"\(key)\" was loaded (requested as `\(wanted)`).",
        facts: [("loaded from:", source)],
        fixes: close.map { "If you meant \"\($0)\", request that." } + [
          "Add \"\(key)\" to a property file, or load the file that has it before this request.",
          "If it is optional, request `\(wanted)?`.",
        ])
    case .wrongType(let wanted, let found):
      return Diagnosis(
        headline: "The property \"\(key)\" in \(source) is of type `\(found)`, but was "
          + "requested as `\(wanted)`.",
        fixes: [Self.advice(wanted, found, in: source)])
    }
  }

  private static func advice(_ wanted: String, _ found: String, in source: String) -> String {
    // Files have values of these types only, and lists and dictionaries of them.
    let canBeWritten = wanted.split { "[]<>:,? ".contains($0) }.allSatisfy {
      ["String", "Bool", "Int", "Double", "Any", "Array", "Dictionary"].contains($0)
    }
    let write = ", or write a value of type `\(wanted)` in \(source)."
    if found == "null" { return "Request `\(wanted)?`\(canBeWritten ? write : ".")" }
    return "Request `\(found)`\(canBeWritten ? write : ", and convert that to `\(wanted)`.")"
  }
}

extension PropertyError: LocalizedError {
  /// The full diagnosis.
  public var errorDescription: String? { description }
}
