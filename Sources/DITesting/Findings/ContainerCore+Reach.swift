#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension ContainerCore {
  /// Whether tests other than the one that uses it reach the container.
  var isEverybodys: Bool {
    settings.containerType.map { $0 != Resolver.self } ?? false || isInReach
  }

  /// Whether the container is main or the process's root, or nested in one of them.
  var isInReach: Bool {
    [Resolver.main, Resolver.processRoot].contains { root in
      root.core.searched(nil).contains { $0 === self }
    }
  }
}
#endif
