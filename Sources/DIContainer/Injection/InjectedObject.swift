#if canImport(SwiftUI) && canImport(Combine)
public import Combine
public import SwiftUI

/// An observed object of a SwiftUI view, resolved when the view is created.
@MainActor
@propertyWrapper
public struct InjectedObject<Service: ObservableObject>: DynamicProperty {
  @ObservedObject private var service: Service

  /// Resolves by type from the root container, or from a given one.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to resolve from; the root if nil.
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let service: Service = (container ?? Resolver.rootAfterStartup).resolve(
      name: name, fileID: fileID, filePath: filePath, line: line, column: column)
    _service = ObservedObject(wrappedValue: service)
  }

  /// The object.
  public var wrappedValue: Service {
    get { service }
    set { service = newValue }
  }

  /// Bindings to the object's properties.
  public var projectedValue: ObservedObject<Service>.Wrapper { $service }
}
#endif
