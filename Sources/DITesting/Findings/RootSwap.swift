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
    let isReported = reportOther(
      than: test, with: before, changing: ("changed:", "`Resolver.root = …`, by \(test.name)"),
      at: hooks.testLocation() ?? CodeLocation())
    if !isReported { ProcessChange.noteSwap(of: "Resolver.root", from: old, to: new) }
  }

  /// Notes that a layer or a sandbox is pushed on the process; returns whether it was reported.
  static func notePush(
    by test: RunningTest, _ opened: String, at location: CodeLocation
  ) -> Bool {
    reportOther(
      than: test, with: open.withLock { $0 }, changing: (opened, "\(location)"), at: location)
  }

  /// Forgets a change of the root, because the test that made it has ended, or the root was reset.
  static func forget(by test: String? = nil) {
    close { test == nil || $0.test.name == test }
  }

  private static func close(if isOver: (Swap) -> Bool) {
    releaseUnlocked(
      open.withLock { swap in swap.map(isOver) ?? false ? exchange(&swap, with: nil) : nil })
  }

  /// Reports a change if that of another test is still open; returns whether there is one.
  private static func reportOther(
    than test: RunningTest, with swap: Swap?, changing changed: (String, String),
    at location: CodeLocation
  ) -> Bool {
    let open: String
    if let layer = ContextFrame.processTop, layer.wasPushedByOther(than: test) {
      open = "\(layer.opener.location), by \(layer.test.name.isEmpty ? "?" : layer.test.name)"
    } else if let swap, swap.test != test {
      open = "`Resolver.root = …`, by \(swap.test.name)"
    } else {
      return false
    }
    let text = Diagnosis(
      headline: "Two tests change the process's containers at the same time.",
      facts: [changed, ("open:", open)],
      fixes: [
        "Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or `withSandbox`.",
        "Pop what is pushed in `setUp` in `tearDown`, and set the root back there.",
      ]
    ).text
    ProcessHooks.current.report(
      DiagnosticIssue(text: text, severity: .error, location: location))
    return true
  }
}
#endif
