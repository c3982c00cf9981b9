#if canImport(Testing) && canImport(XCTest)
import DIContainer

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
