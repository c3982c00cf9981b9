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
    let frame = sandbox.layer.frame
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

// The policies of the process. The environment variable `DITESTING_DEFAULTS` sets them for a run.

extension Sandbox {
  /// The treatment of tests that change the process because they run in no sandbox; a warning by
  /// default.
  ///
  /// Registrations, removals, resets and swaps that such a test makes in `main`, in containers that
  /// the root reaches or in a `shared` container affect all other tests. Each place is reported
  /// once, at its line. For work that belongs to no test, see ``unscopedPolicy``.
  ///
  /// It applies to the process; use `.processChanges` to override it for a test or a suite, and
  /// `Resolver.production` for a section of code.
  public static var processChanges: Strictness {
    get { ProcessPolicies.current.processChanges }
    set { ProcessPolicies.change { $0.processChanges = newValue } }
  }

  /// The treatment of live services that are resolved in a sandbox, unless a trait, a test case or
  /// `withStrictness` specifies another; none by default.
  ///
  /// It applies to the process. With `.fail` every test in a sandbox is strict; `.strict(.off)` is
  /// for one that is not.
  public static var strictness: Strictness {
    get { ProcessPolicies.current.strictness }
    set { ProcessPolicies.change { $0.strictness = newValue } }
  }

  /// The treatment of requests that belong to no test, unless an open sandbox specifies another.
  ///
  /// It applies to the process: `.warn` by default, and `.adopt` where only XCTest runs. If work
  /// may belong to several tests, it fails only if all of them require that.
  public static var unscopedPolicy: UnscopedPolicy {
    get { ProcessPolicies.unscopedWork }
    set { ProcessPolicies.change { $0.unscopedPolicy = newValue } }
  }
}
#endif
