#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A double that is made on the main actor, as the result of a fallback.
///
/// ```swift
/// final class WindowTests: SandboxTestCase {
///   override var fallback: (@Sendable (ServiceKey) -> Any?)? {
///     { key in key.type == ShopWindow.self ? MainActorDouble { ShopWindow() } : nil }
///   }
/// }
/// ```
///
/// Requests on the main actor, and those with `await` from elsewhere, return the double. Other
/// requests fail with an error that explains it, and never return the live service. A double of
/// another type than the requested one is an issue, and is not used.
public struct MainActorDouble: Sendable {
  let make: @MainActor @Sendable () -> Any

  /// Creates a result for a fallback.
  ///
  /// - Parameter make: Makes the double, on the main actor, at the first request.
  public init<Service>(_ make: @escaping @MainActor @Sendable () -> Service) {
    self.make = { make() }
  }
}
#endif
