#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Pushed layers are attached to the frame that is bound to the task (or to the process) as its
// "top": a chain of frames that leads back to it. So every task of that scope sees them at once.

enum LayerStack {
  static func push(
    _ kind: ContextFrame.Kind, container: Resolver?, at location: CodeLocation,
    amongOthers: Bool = IssueReporter.runsAmongOthers
  ) -> Layer {
    TestHooks.install()
    StoredProperties.reportOfRunningTest()
    let test = IssueReporter.currentTest
    let anchor = ContextFrame.anchor
    let below = anchor?.pushedTop ?? (anchor == nil ? ContextFrame.processTop : anchor)
    if anchor == nil, let open = openChange(below, byOthersThan: test ?? "") {
      IssueReporter.fail(
        RootSwap.issueText(changed: ("pushed:", "\(location)"), open: ("open:", open)),
        at: location)
    } else if anchor == nil, amongOthers, kind == .layer {
      IssueReporter.report(
        DiagnosticIssue(
          text: text(
            "This layer answers the whole process: no scope is around the push.",
            facts: [("pushed:", "\(location)")],
            fixes: [
              "Add the `.sandbox` trait to the test or suite: the layer is then the test's own.",
              "Or enclose the code that it is for with `withLayer`, which pops it too.",
            ]), severity: .warning, location: location))
    }
    let frame = ContextFrame(
      kind, parent: below, installed: container, caches: .all, isPushed: kind == .layer,
      name: test ?? "", location: location, report: { IssueReporter.report($0) })
    let layer = Layer(
      frame: frame, anchor: anchor, pushedAt: location)
    setTop(frame, on: anchor)
    // The kernel ends a recorder, and does not know of layers.
    _ = anchor?.extra(ContextFrame.RecorderEndHook.self, orMake: { .init(run: reportOpenLayers) })
    return layer
  }

  /// Returns a change of the process's containers that another test made and did not undo.
  private static func openChange(_ below: ContextFrame?, byOthersThan test: String) -> String? {
    if let owner = below?.owner, owner.name != test {
      return "\(owner.location), by \(owner.name.isEmpty ? "?" : owner.name)"
    }
    if let other = RootSwap.openedBy, other != test { return "`Resolver.root = …`, by \(other)" }
    return nil
  }

  static func pop(_ layer: Layer, at location: CodeLocation) {
    let top = layer.anchor == nil ? ContextFrame.processTop : layer.anchor?.pushedTop
    var above: [ContextFrame] = []
    var next = top
    while let frame = next, frame !== layer.frame, frame !== layer.anchor {
      above.append(frame)
      next = frame.parent
    }
    guard let next, next === layer.frame else {
      // It was popped with its scope, which was reported.
      if layer.frame.wasUnwound { return layer.frame.end() }
      let words = Words(layer.frame)
      if let earlier = layer.frame.unwoundBy {
        IssueReporter.fail(
          text(
            "This \(words.noun) was \(words.closed) before, with one that was \(words.opened) "
              + "earlier.",
            facts: [
              ("\(words.closed):", "\(location)"), ("\(words.opened):", "\(layer.pushedAt)"),
              ("earlier:", "\(earlier)"),
            ],
            fixes: ["\(words.close) in the reverse order of \(words.opening)."]), at: location)
        return layer.frame.end()
      }
      IssueReporter.fail(
        text(
          "This \(words.noun) was \(words.closed) before.",
          facts: [("\(words.closed):", "\(location)"), ("\(words.opened):", "\(layer.pushedAt)")],
          fixes: ["\(words.close) each once, in the reverse order of \(words.opening)."]),
        at: location)
      return
    }
    if reportInside(layer, at: location) {
      takeOff(layer)
      for frame in above {
        frame.noteUnwound(by: location)
        frame.retire()
      }
      layer.frame.reportFindings()
      return
    }
    if !above.isEmpty {
      let words = Words(layer.frame)
      IssueReporter.fail(
        text(
          "This \(words.noun) was \(words.closed) while \(above.count) \(words.opened) later "
            + "\(above.count == 1 ? "was" : "were") still open.",
          facts: [("\(words.closed):", "\(location)"), ("\(words.opened):", "\(layer.pushedAt)")]
            + above.map { ("open:", "\($0.owner.location)") },
          fixes: [
            "\(words.close) in the reverse order of \(words.opening). All of these are off now."
          ]),
        at: location)
    }
    takeOff(layer)
    for frame in above {
      frame.noteUnwound(by: location)
      frame.end()
    }
    layer.frame.reportFindings()
    layer.frame.end()
  }

  private static func takeOff(_ layer: Layer) {
    let below = layer.frame.parent
    setTop(below === layer.anchor ? nil : below, on: layer.anchor)
  }

  /// Reports a pop inside a scope that was opened on top of the layer, where it stays in force.
  ///
  /// It does not end there, because requests of that scope would seem late.
  private static func reportInside(_ layer: Layer, at location: CodeLocation) -> Bool {
    guard let bound = ContextFrame.bound, bound.chain.contains(where: { $0 === layer.frame })
    else { return false }
    let inside = bound.chain.prefix { $0 !== layer.frame }.filter {
      !$0.isPushed && $0.kind != .carrier
    }
    if inside.isEmpty { return false }
    let words = Words(layer.frame)
    IssueReporter.fail(
      text(
        "This \(words.noun) was \(words.closed) inside a scope that was opened after it: there it "
          + "still answers.",
        facts: [("\(words.closed):", "\(location)"), ("\(words.opened):", "\(layer.pushedAt)")]
          + inside.map { ("inside:", $0.owner.place) },
        fixes: [
          "\(words.close) it where it was \(words.opened), once the scope has ended.",
          layer.frame.kind == .sandbox
            ? "Or use `withSandbox`, which closes at its end."
            : "Or use `withLayer`, which pops at its end.",
        ]), at: location)
    layer.frame.retire()
    return true
  }

  /// Reports and pops the layers that were pushed on an ending scope and never popped.
  static func reportOpenLayers(on anchor: ContextFrame) {
    // Checked before any text is made: every scope runs this when it closes.
    guard let top = anchor.pushedTop else { return }
    let scope = anchor.isTestCase ? anchor.owner.name : "\(anchor.owner.location)"
    var next: ContextFrame? = top
    while let frame = next, frame !== anchor {
      IssueReporter.report(unwind(frame, scope))
      next = frame.parent
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
      issues.append(unwind(frame, scope))
      ContextFrame.setProcessTop(frame.parent)
    }
    return issues
  }

  private static func unwind(_ frame: ContextFrame, _ scope: String) -> DiagnosticIssue {
    let isSandbox = frame.kind == .sandbox
    let words = Words(frame)
    let issue = DiagnosticIssue(
      text: text(
        "This \(words.noun) was \(words.opened) and never \(words.closed).",
        facts: [("\(words.opened):", "\(frame.owner.location)"), ("scope:", scope)],
        fixes: [
          isSandbox
            ? "Close it with `close()` before the scope ends, or use `withSandbox`, which does."
            : "Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does."
        ]), severity: .error, location: frame.owner.location)
    frame.noteUnwound(by: nil)
    frame.end()
    return issue
  }

  private static func setTop(_ frame: ContextFrame?, on anchor: ContextFrame?) {
    if let anchor {
      anchor.setPushedTop(frame)
    } else {
      ContextFrame.setProcessTop(frame)
    }
  }

  /// The words for a layer, which is pushed and popped, or for a sandbox.
  private struct Words {
    let noun: String
    let opened: String
    let opening: String
    let closed: String
    let close: String

    init(_ frame: ContextFrame) {
      (noun, opened, opening, closed, close) =
        frame.kind == .sandbox
        ? ("sandbox", "opened", "opening", "closed", "Close")
        : ("layer", "pushed", "pushing", "popped", "Pop")
    }
  }

  private static func text(
    _ headline: String, facts: [(String, String)], fixes: [String]
  ) -> String {
    Diagnosis(headline: headline, facts: facts, fixes: fixes).text
  }
}

extension ContextFrame {
  /// The frame that `push` attaches layers to: the one bound to the task, or the one that applies
  /// to work outside the task.
  static var anchor: ContextFrame? {
    if let bound { return bound.kind == .base ? nil : bound }
    guard let anchor = outsideAnchor else { return nil }
    // A layer on the process is no scope: the next one goes on top of it there.
    return anchor === processTop && !anchor.isTestCase ? nil : anchor
  }

  private struct TestCaseMark: Sendable {}

  /// Whether it is a test case's, which applies to the whole process and is bound to the test's
  /// task.
  var isTestCase: Bool { extra(TestCaseMark.self) != nil }

  func markAsTestCase() {
    _ = extra(TestCaseMark.self, orMake: { TestCaseMark() })
  }

  private struct Unwound: Sendable {
    /// The location at which a layer below was popped; nil if the scope ended.
    let location: CodeLocation?
  }

  /// Whether it was popped by the end of its scope.
  var wasUnwound: Bool { extra(Unwound.self).map { $0.location == nil } ?? false }

  /// The location at which a layer below was popped, and this one with it.
  var unwoundBy: CodeLocation? { extra(Unwound.self)?.location }

  func noteUnwound(by location: CodeLocation?) {
    _ = extra(Unwound.self, orMake: { Unwound(location: location) })
  }
}
#endif
