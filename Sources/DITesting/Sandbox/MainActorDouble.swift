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
  private let answer: FramePolicy.Fallback.OnMain

  /// Creates a result for a fallback.
  ///
  /// - Parameter make: Makes the double, on the main actor, at the first request.
  public init<Service>(_ make: @escaping @MainActor @Sendable () -> Service) {
    answer = FramePolicy.Fallback.OnMain(make)
  }

  /// Returns a fallback whose closure may return such a double.
  static func fallback(
    in container: (@Sendable () -> Resolver)? = nil,
    _ make: @escaping @Sendable (ServiceKey) -> Any?
  ) -> FramePolicy.Fallback {
    FramePolicy.Fallback(in: container) { key in
      let double = make(key)
      return (double as? MainActorDouble)?.answer ?? double
    }
  }
}
#endif
