/// The module whose `registerAllServices` ran, for the diagnosis of another module's failed
/// request.
///
/// Several modules of a process may conform `Resolver` to `ResolverRegistering`, with no diagnostic
/// of the compiler if none of them imports another, and the runtime finds one: registrations of the
/// others are never made. SwiftPM links all test targets of a package into one process.
struct StartupModule {
  /// The note of a diagnosis.
  let note: String
  let fix: String

  /// Fails if the container reaches no registration of `registerAllServices`, or one by the
  /// request's module.
  init?(missing request: Request, asked: Resolver) {
    let ids = Startup.registered
    guard !ids.isEmpty else { return nil }
    let module = Self.module(of: request.location)
    let places = asked.core.reachable(ContextFrame.current).filter { ids.contains($0.id) }
      .sorted { $0.id < $1.id }.map(\.location)
    guard let place = places.first, !places.contains(where: { Self.module(of: $0) == module })
    else { return nil }
    note =
      "`registerAllServices` ran in \(Self.module(of: place)) (\(place)); a process has one, and "
      + "another module's is never called"
    fix =
      "If \(module) has a `registerAllServices`, too, let it register with "
      + "`Resolver.registerAtStart { … }`, which any number of modules can use."
  }

  private static func module(of place: CodeLocation) -> Substring {
    place.fileID.prefix { $0 != "/" }
  }
}
