// Typed containers: services are declared as properties of a container and asked for by key path.
// A declaration is only a description; what is registered for it is a registration in the
// container's registry under the property's key, so that everything that holds for registrations
// by type (nesting, sandboxes, layers, recorders, scopes) holds for it too.

/// A container that declares services as properties.
public protocol ManagedContainer: AnyObject, Sendable {
  /// What the container has in common with every container.
  var manager: ContainerManager { get }
}

/// A container with one instance that everybody shares.
public protocol SharedContainer: ManagedContainer {
  /// The instance that is used where none is passed along.
  static var shared: Self { get }
}

/// What all containers have in common: their registrations and what they keep.
public final class ContainerManager: Sendable {
  package let core: ContainerCore

  init(_ core: ContainerCore) {
    self.core = core
  }

  /// Creates the manager of a custom container.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    core = ContainerCore(
      location: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
