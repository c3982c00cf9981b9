#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension Resolver {
  /// Creates the container of a layer, whose registrations are doubles.
  static func layer(at location: CodeLocation) -> Resolver {
    Resolver(core: ContainerCore(location: location, holdsDoubles: true))
  }
}
#endif
