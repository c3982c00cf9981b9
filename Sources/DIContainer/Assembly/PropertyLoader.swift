/// Reads properties that a container answers by name.
///
/// ```swift
/// struct EnvironmentLoader: PropertyLoader {
///   let source = "the environment"
///   func load() -> [String: PropertyValue] { ["region": .string("eu")] }
/// }
/// ```
///
/// It belongs to no actor, also in a module whose default isolation is the main actor.
public protocol PropertyLoader: SendableMetatype {
  /// Where the properties come from, for diagnoses: a file's name.
  var source: String { get }

  /// Reads all properties, or throws; what was loaded before stays as it is then.
  func load() throws -> [String: PropertyValue]
}
