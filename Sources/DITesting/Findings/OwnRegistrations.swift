#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A registration that a scope holds, with its container.
struct OwnRegistration {
  let registration: Registration
  let core: ContainerCore

  var id: UInt64 { registration.id }

  /// Those that a registry of a container holds, and those that aliases tell apart from them.
  static func all(in registry: Registry, of core: ContainerCore) -> [OwnRegistration] {
    registry.foremost().flatMap { [$0] + $0.earlier }
      .map { OwnRegistration(registration: $0, core: core) }
  }
}

/// The line that registers a service.
struct DoublePlace: Sendable, Hashable {
  let key: ServiceKey
  let location: CodeLocation
}

extension Registration {
  var place: DoublePlace { DoublePlace(key: key, location: location) }

  /// Whether it is a double that has to be resolved.
  ///
  /// A setting that a test only makes for a property, such as its scope, does not count.
  var isExpected: Bool {
    isTracked && !options.mayBeUnused && registersService && aliasTarget == nil
      && !FixtureScope.isRegistered(at: location)
  }
}

extension ContextFrame {
  /// The registrations that this scope holds: those of a sandbox in all containers, or of a layer.
  var ownRegistrations: [OwnRegistration] {
    var registries = views.map { (core: $0.core, registry: $0.registry) }
    if kind == .layer, let core = installed?.core { registries.append((core, core.registry)) }
    return registries.flatMap { OwnRegistration.all(in: $0.registry, of: $0.core) }
      .sorted { $0.id < $1.id }
  }
}
#endif
