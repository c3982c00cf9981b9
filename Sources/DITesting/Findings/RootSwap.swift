#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Outside every scope, `Resolver.root = …` and pushed layers change the process for all tests. Two
// tests that do so at the same time see each other's doubles: that is an issue.

/// A record of the test that has changed the process's root and not restored it.
enum RootSwap {
  private struct Swap {
    let test: RunningTest
    let previous: Resolver
  }

  private static let open = Lock<Swap?>(nil)

  /// The test that has changed the process's root.
  static var openedBy: RunningTest? { open.withLock { $0?.test } }

  /// Notes a change of the process's root, and reports it.
  static func note(from old: Resolver, to new: Resolver) {
    let hooks = ProcessHooks.current
    // A change that may be made is nobody's, but it may put the root back.
    guard ProcessChange.severity(in: ContextFrame.current) != nil, let test = hooks.runningTest
    else {
      close { $0.previous === new }
      return ProcessChange.noteSwap(of: "Resolver.root", from: old, to: new)
    }
    // The previous swap leaves the lock: it may hold the last reference to a container.
    let (before, isPutBack) = open.withLock { swap -> (Swap?, Bool) in
      let before = swap
      let isPutBack = before.map { $0.previous === new } ?? false
      swap = isPutBack ? nil : Swap(test: test, previous: before?.previous ?? old)
      return (before, isPutBack)
    }
    if isPutBack { return }
    var other: String?
    if let before, before.test != test {
      other = "`Resolver.root = …`, by \(before.test.name)"
    } else if let layer = ContextFrame.processTop, layer.wasPushedByOther(than: test) {
      other = "\(layer.opener.location), by \(layer.test.name)"
    }
    guard let other else {
      return ProcessChange.noteSwap(of: "Resolver.root", from: old, to: new)
    }
    hooks.report(
      DiagnosticIssue(
        text: issueText(
          changed: ("changed:", "`Resolver.root = …`, by \(test.name)"), open: other),
        severity: .error, location: hooks.testLocation() ?? CodeLocation()))
  }

  /// Forgets a change of the root, because the test that made it has ended, or the root was reset.
  static func forget(by test: String? = nil) {
    close { test == nil || $0.test.name == test }
  }

  private static func close(if isOver: (Swap) -> Bool) {
    releaseUnlocked(
      open.withLock { swap in swap.map(isOver) ?? false ? exchange(&swap, with: nil) : nil })
  }

  /// Returns the text of the issue that two tests change the process's containers at the same time.
  static func issueText(changed: (String, String), open: String) -> String {
    Diagnosis(
      headline: "Two tests change the process's containers at the same time.",
      facts: [changed, ("open:", open)],
      fixes: [
        "Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or `withSandbox`.",
        "Pop what is pushed in `setUp` in `tearDown`, and set the root back there.",
      ]
    ).text
  }
}
#endif
