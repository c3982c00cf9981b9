#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A sandbox that is opened in one place and closed in another: in `setUp` and `tearDown`.
///
/// It is intended for XCTest suites that cannot inherit from `SandboxTestCase`. Opened outside
/// every scope, it and the scopes opened inside it apply to every request of the process until it
/// is closed, from any thread or task. It therefore suits frameworks that run one test at a time.
/// In a test of Swift Testing, which runs beside others, that is a warning: use `withSandbox` or
/// the `.sandbox` trait there. Opened inside a scope, such as another sandbox, it applies to that
/// scope's requests only.
///
/// ```swift
/// final class CheckoutTests: XCTestCase {
///   override func setUp() {
///     let sandbox = Sandbox.open { $0.register { FakeGateway() as any PaymentGateway } }
///     addTeardownBlock { sandbox.close() }
///   }
/// }
/// ```
public final class Sandbox: Sendable {
  private let layer: Layer

  private init(_ layer: Layer) {
    self.layer = layer
  }

  /// Opens a sandbox in the innermost enclosing scope, or for the process.
  ///
  /// - Returns: The sandbox, to close.
  public static func open(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Sandbox {
    open(at: CodeLocation(fileID, filePath, line, column))
  }

  /// Opens a sandbox with doubles in the innermost enclosing scope, or for the process.
  ///
  /// - Parameter configure: Receives the sandbox's view of the root, and registers doubles there.
  /// - Returns: The sandbox, to close.
  public static func open(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, configure: (Resolver) throws -> Void
  ) rethrows -> Sandbox {
    let sandbox = open(at: CodeLocation(fileID, filePath, line, column))
    // Held: another thread may close it meanwhile.
    let frame = sandbox.layer.pushed.frame
    do {
      try ContextFrame.$bound.withValue(frame) {
        try registeringDoubles { try configure(Resolver.root) }
      }
    } catch {
      sandbox.close()
      throw error
    }
    return sandbox
  }

  private static func open(at location: CodeLocation) -> Sandbox {
    Sandbox(LayerStack.push(.sandbox, container: nil, at: location))
  }

  /// Closes the sandbox, and discards its registrations and kept instances.
  ///
  /// Closing it twice, or while a scope that was opened later is still open, is an issue.
  public func close(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    LayerStack.pop(layer, at: CodeLocation(fileID, filePath, line, column))
  }
}
#endif
