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
