#if canImport(Testing) && canImport(XCTest)
public import DIContainer

/// The layers and sandboxes that were pushed, and not popped when their scope ended.
enum ForgottenLayers {
  /// Reports and pops the layers that were pushed on an ending scope and never popped.
  static func report(on anchor: ContextFrame) {
    // Checked before any text is made: every scope runs this when it closes.
    guard let top = anchor.pushedTop else { return }
    let scope = anchor.isTestCase ? anchor.opener.name : "\(anchor.opener.location)"
    for frame in top.chain.prefix(while: { $0 !== anchor }) {
      IssueReporter.report(issue(about: frame, scope))
      unwind(frame)
    }
    anchor.setPushedTop(nil)
  }

  /// Pops the layers that a test or a suite pushed on the process and never popped.
  ///
  /// - Parameters:
  ///   - scope: The name of the ended test case without an enclosing scope, or of the suite.
  ///   - isForgotten: Whether the topmost layer was pushed there.
  /// - Returns: The issues to report.
  static func unwindProcess(
    after scope: String, while isForgotten: (ContextFrame) -> Bool
  ) -> [DiagnosticIssue] {
    var issues: [DiagnosticIssue] = []
    while let frame = ContextFrame.processTop, isForgotten(frame), !frame.isTestCase {
      issues.append(issue(about: frame, scope))
      unwind(frame)
      ContextFrame.setProcessTop(frame.parent)
    }
    return issues
  }

  /// Returns the issues about layers and sandboxes that are on the process when that ends.
  ///
  /// Outside XCTest only those of tests count: a process may have other uses for them.
  static func leftInProcess() -> [DiagnosticIssue] {
    guard let top = ContextFrame.processTop else { return [] }
    return top.chain.compactMap { frame in
      guard let test = frame.pushed?.test.name,
        !test.isEmpty || ProcessHooks.current.runsOneTestAtATime()
      else { return nil }
      return issue(
        about: frame, test.isEmpty ? "unknown" : test, isOfBundle: test.isEmpty)
    }
  }

  private static func unwind(_ frame: ContextFrame) {
    frame.pushed?.wasUnwound.set(true)
    frame.pushed?.close(frame)
  }

  /// `isOfBundle`: whether it may have been pushed for all tests of a bundle.
  private static func issue(
    about frame: ContextFrame, _ scope: String, isOfBundle: Bool = false
  ) -> DiagnosticIssue {
    let words = Words(frame.kind)
    return DiagnosticIssue(
      text: Diagnosis(
        headline: "This \(words.noun) was \(words.opened) and never \(words.closed).",
        facts: [("\(words.opened):", "\(frame.opener.location)"), ("scope:", scope)],
        fixes: [
          "\(words.close) it with \(words.code) before the scope ends, or use \(words.enclosing), "
            + "which does."
        ] + (isOfBundle ? [words.bundleFix] : [])
      ).text, severity: .error, location: frame.opener.location)
  }

  /// The words for a layer, which is pushed and popped, or for a sandbox.
  struct Words {
    let noun: String
    let opened: String
    let opening: String
    let closed: String
    let close: String
    let closes: String
    /// What closes one.
    let code: String
    /// What opens and closes one.
    let enclosing: String

    var bundleFix: String {
      "If it is for all tests of a bundle, \(close.lowercased()) it in `testBundleDidFinish` of "
        + "the observer that \(opened) it."
    }

    init(_ kind: FrameKind) {
      (noun, opened, opening, closed, close) =
        kind == .sandbox
        ? ("sandbox", "opened", "opening", "closed", "Close")
        : ("layer", "pushed", "pushing", "popped", "Pop")
      (closes, code, enclosing) =
        kind == .sandbox
        ? ("closes", "`close()`", "`withSandbox`") : ("pops", "`Resolver.pop`", "`withLayer`")
    }
  }
}

/// A pushed layer of doubles, to be popped.
public final class Layer: Sendable {
  // It holds no frame: XCTest holds a test case, and a layer in its properties, to the end of the
  // process, and a frame holds the doubles of its scope and of those around it. A sandbox that was
  // opened in one place, to be closed in another, is one, too.

  private let weakFrame: Weak<ContextFrame>
  private let weakAnchor: Weak<ContextFrame>
  let kind: FrameKind
  let location: CodeLocation
  /// The test that pushed it; without a name if that is not known.
  let test: RunningTest
  /// Reports the findings about it and ends it.
  let close: @Sendable (ContextFrame) -> Void
  /// Whether it was popped with its scope or with a layer below, which was reported.
  let wasUnwound = Atomic()

  /// `anchor`: the frame that it is pushed on; nil for the process.
  init(
    _ frame: ContextFrame, on anchor: ContextFrame?, by test: RunningTest,
    close: @escaping @Sendable (ContextFrame) -> Void
  ) {
    weakFrame = Weak(value: frame)
    weakAnchor = Weak(value: anchor)
    (kind, location) = (frame.kind, frame.opener.location)
    (self.test, self.close) = (test, close)
  }

  /// The container that holds the layer's doubles, in which more can be registered.
  ///
  /// After the layer was popped it is empty, and what is registered has no effect.
  public var container: Resolver { frame?.installed ?? Resolver.layer(at: location) }

  /// The frame, which is there until it is popped, and as long as work carries it.
  var frame: ContextFrame? { weakFrame.value }

  /// The frame that it is pushed on, which its own frame keeps alive; nil for the process.
  var anchor: ContextFrame? { weakAnchor.value }
}

extension ContextFrame {
  /// The pushed layer or sandbox that it belongs to; nil if it is none.
  var pushed: Layer? { extra(Layer.self) }

  /// The test that pushed it or that it belongs to; without a name if that is not known.
  var test: RunningTest { pushed?.test ?? RunningTest(opener.name, at: nil) }

  /// Whether another test pushed it.
  ///
  /// Where one test runs at a time, those of no test are for several: `setUp` of their class, or an
  /// observer of the bundle, pushed them.
  func wasPushedByOther(than test: RunningTest) -> Bool {
    self.test != test && !(self.test.name.isEmpty && ProcessHooks.current.runsOneTestAtATime())
  }

  /// Whether it is a test case's, which applies to the whole process and is bound to the test's
  /// task.
  var isTestCase: Bool { notes?.isTestCase ?? false }
}
#endif
