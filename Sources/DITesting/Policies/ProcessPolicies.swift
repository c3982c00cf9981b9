#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// The policies of the process, which apply where no scope sets one.
///
/// The environment variable `DITESTING_DEFAULTS` sets them for a whole run, in the spelling of the
/// properties of `Sandbox`: `strictness=fail,unscopedPolicy=fail`.
struct ProcessPolicies {
  /// The treatment of requests that belong to no test while a sandbox is open; nil for the default.
  var unscopedPolicy: UnscopedPolicy? {
    didSet { if unscopedPolicy == .adopt { ContextFrame.listAllFrames() } }
  }
  /// The treatment of changes that a test makes to the process outside every sandbox.
  var processChanges = Strictness.warn
  /// The treatment of live services that are resolved in a sandbox.
  var strictness = Strictness.off

  private static let shared = Lock(ofEnvironment)

  static var current: ProcessPolicies { shared.withLock { $0 } }

  static func change(_ change: (inout ProcessPolicies) -> Void) { shared.withLock(change) }

  static var unscopedWork: UnscopedPolicy {
    current.unscopedPolicy ?? (ProcessHooks.current.runsOneTestAtATime() ? .adopt : .warn)
  }

  private static var ofEnvironment: ProcessPolicies {
    var policies = ProcessPolicies()
    // A run whose policies nobody can read must not pass.
    if let text = ProcessInfo.processInfo.environment["DITESTING_DEFAULTS"],
      let mistake = policies.set(text)
    {
      fatalError(mistake)
    }
    return policies
  }

  /// Sets what a text lists, such as `strictness=fail,processChanges=off`; returns what is wrong
  /// with it, if anything.
  mutating func set(_ text: String) -> String? {
    for setting in text.split(separator: ",") {
      let parts = setting.split(separator: "=").map { String($0.filter { $0 != " " }) }
      if parts.count != 2 || !set(parts[0], parts[1]) {
        return Diagnosis(
          headline: "There is no such setting: \("\(setting)".debugDescription).",
          facts: [("DITESTING_DEFAULTS:", text.debugDescription)],
          fixes: [
            "Set `strictness` or `processChanges` to `off`, `warn` or `fail`: `strictness=fail`.",
            "Set `unscopedPolicy` to `allow`, `warn`, `fail` or `adopt`.",
            "Write a comma between two settings.",
          ]
        ).text
      }
    }
    return nil
  }

  private mutating func set(_ name: String, _ value: String) -> Bool {
    let strictness = [Strictness.off, .warn, .fail].first { "\($0)" == value }
    let unscoped = [UnscopedPolicy.allow, .warn, .fail, .adopt].first { "\($0)" == value }
    switch (name, strictness, unscoped) {
    case ("strictness", let policy?, _): self.strictness = policy
    case ("processChanges", let policy?, _): processChanges = policy
    case ("unscopedPolicy", _, let policy?): unscopedPolicy = policy
    default: return false
    }
    return true
  }
}

extension PolicyBox {
  /// Creates the policies of a frame: a sandbox is as strict as the process, if neither they nor an
  /// enclosing scope say how strict it is.
  convenience init?(_ policy: FramePolicy?, of kind: FrameKind, in outer: ContextFrame?) {
    let strictness = kind == .sandbox ? ProcessPolicies.current.strictness : .off
    if policy == nil, strictness == .off { return nil }
    var all = policy ?? FramePolicy()
    if strictness != .off, all.strictness ?? outer?.testPolicies?.strictness == nil {
      all.strictness = strictness
      all.strictBy = ProcessHooks.current.runsOneTestAtATime() ? .function : .trait
    } else if policy == nil {
      return nil
    }
    self.init(all)
  }
}
#endif
