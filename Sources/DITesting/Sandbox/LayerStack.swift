#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Pushed layers and opened sandboxes are attached to the frame that is bound to the task (or to the
// process) as its "top": a chain of frames that leads back to it. So every task of that scope sees
// them at once.

enum LayerStack {
  /// Held while a scope's top is read and replaced, so that no change is lost to another one.
  private static let changing = Lock(())

  static func push(
    _ kind: FrameKind, container: Resolver?, at location: CodeLocation,
    amongOthers: Bool = IssueReporter.runsAmongOthers
  ) -> Layer {
    TestHooks.install()
    PlannedWork.end()
    let hooks = ProcessHooks.current
    let test = hooks.runningTest ?? RunningTest("", at: nil)
    let anchor = ContextFrame.anchor
    let words = ForgottenLayers.Words(kind)
    if anchor == nil, !RootSwap.notePush(by: test, "\(words.opened):", at: location), amongOthers {
      hooks.report(
        DiagnosticIssue(
          text: Diagnosis(
            headline: "This \(words.noun) affects the whole process because it was "
              + "\(words.opened) outside any scope.",
            facts: [("\(words.opened):", "\(location)")],
            fixes: [
              "Add the `.sandbox` trait to the test or suite"
                + (kind == .sandbox ? ", in its place." : ": the layer is then the test's own."),
              "Or enclose the code that it is for with \(words.enclosing), which \(words.closes) "
                + "it too.",
            ]
          ).text, severity: .warning, location: location))
    }
    return changing.withLock { _ in
      let outer = top(of: anchor) ?? anchor
      let frame = ContextFrame(
        kind, parent: outer, installed: container, caches: .all,
        policy: PolicyBox(nil, of: kind, in: outer),
        isPushedLayer: kind == .layer, name: test.name, location: location,
        report: IssueReporter.report)
      let layer = Layer(frame, on: anchor, by: test) { $0.close() }
      _ = frame.extra(Layer.self) { layer }
      setTop(frame, on: anchor)
      return layer
    }
  }

  static func pop(_ layer: Layer, at location: CodeLocation) {
    let words = ForgottenLayers.Words(layer.kind)
    func report(_ headline: String, _ facts: [(String, String)] = [], fixes: [String]) {
      let places = [
        ("\(words.closed):", "\(location)"), ("\(words.opened):", "\(layer.location)"),
      ]
      IssueReporter.fail(
        Diagnosis(
          headline: "This \(words.noun) was \(words.closed) \(headline)",
          facts: places + facts, fixes: fixes
        ).text, at: location)
    }
    guard let frame = layer.frame, let above = takeOff(frame, from: layer.anchor) else {
      guard layer.wasUnwound.isSet else {
        return report(
          "before.",
          fixes: ["\(words.close) each once, in the reverse order of \(words.opening)."])
      }
      // One pop of its own was to be expected, and no more.
      layer.wasUnwound.set(false)
      layer.frame?.end()
      return
    }
    let inside = scopesInside(frame)
    if !inside.isEmpty {
      report(
        "inside a scope that was opened after it: it still applies there.",
        inside.map { ("inside:", $0.opener.place) },
        fixes: [
          "\(words.close) it where it was \(words.opened), once the scope has ended.",
          "Or use \(words.enclosing), which \(words.closes) at its end.",
        ])
    } else if !above.isEmpty {
      report(
        "while \(above.count) \(words.opened) later"
          + " \(above.count == 1 ? "was" : "were") still open.",
        above.map { ("open:", "\($0.opener.location)") },
        fixes: [
          "\(words.close) in the reverse order of \(words.opening). All of these are off now."
        ])
    }
    for frame in above { frame.pushed?.wasUnwound.set(true) }
    for frame in above + [frame] {
      if inside.isEmpty {
        frame.close()
      } else {
        // It does not end here: requests of the scope inside would seem late.
        frame.unlist()
        frame.reportEnd()
      }
    }
  }

  /// Takes a layer off its scope; returns those above it, or nil if it is not on.
  private static func takeOff(
    _ layer: ContextFrame, from anchor: ContextFrame?
  ) -> [ContextFrame]? {
    changing.withLock { _ in
      let pushed = top(of: anchor)?.chain.prefix { $0 !== anchor } ?? []
      guard let place = pushed.firstIndex(where: { $0 === layer }) else { return nil }
      setTop(layer.parent === anchor ? nil : layer.parent, on: anchor)
      return Array(pushed[..<place])
    }
  }

  private static func top(of anchor: ContextFrame?) -> ContextFrame? {
    anchor == nil ? ContextFrame.processTop : anchor?.pushedTop
  }

  /// Returns the scopes around the caller that were opened on top of a layer, which stays in force
  /// there.
  private static func scopesInside(_ layer: ContextFrame) -> [ContextFrame] {
    guard let bound = ContextFrame.bound, bound.chain.contains(where: { $0 === layer })
    else { return [] }
    return bound.chain.prefix { $0 !== layer }.filter { !$0.isPushedLayer }
  }

  private static func setTop(_ frame: ContextFrame?, on anchor: ContextFrame?) {
    if let anchor {
      anchor.setPushedTop(frame)
    } else {
      ContextFrame.setProcessTop(frame)
    }
  }
}

extension ContextFrame {
  /// The frame that `push` attaches layers to: the one bound to the task, or the one that applies
  /// to work outside the task.
  static var anchor: ContextFrame? {
    if let bound { return bound.kind == .base ? nil : bound }
    guard let anchor = unboundWorkAnchor else { return nil }
    // A layer on the process is no scope: the next one goes on top of it there.
    return anchor === processTop && !anchor.isTestCase ? nil : anchor
  }
}
#endif
