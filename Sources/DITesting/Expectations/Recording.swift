#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The events so far of the current recorder, for an expectation.
struct Recording {
  let events: [ResolutionEvent]
  /// The successful requests, except those of decorations for the service that they decorate.
  let resolutions: [ResolutionEvent]
  let location: CodeLocation
  /// The frame of the recorder.
  let frame: ContextFrame

  private init(events: [ResolutionEvent], location: CodeLocation, frame: ContextFrame) {
    self.events = events
    self.location = location
    self.frame = frame
    let byIndex = Dictionary(events.map { ($0.index, $0) }, uniquingKeysWith: { $1 })
    resolutions = events.filter { event in
      event.isResolved && event.parent.flatMap { byIndex[$0] }?.wraps(event) != true
    }
  }

  /// Returns the current recording; reports an issue and returns nil if there is no recorder.
  static func current(
    _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) -> Recording? {
    TestHooks.install()
    let location = CodeLocation(fileID, filePath, line, column)
    let frame = ContextFrame.current.map { $0.chain.first { $0.recorder != nil } } ?? ofOnlyTest
    if let frame, let recorder = frame.resolutionRecorder {
      return Recording(events: recorder.events, location: location, frame: frame)
    }
    let isOfNoTest =
      ContextFrame.bound == nil && !ProcessHooks.current.isInTest()
      && ContextFrame.isAnySandboxOpen
    IssueReporter.fail(
      Diagnosis(
        headline: "No recorder is active, so this expectation cannot be checked.",
        facts: [("expected:", "\(location)")],
        fixes: isOfNoTest
          ? ["Carry the test's context to its task or thread: `ResolutionContext.carrying { … }`."]
          : [
            "Add the `.recorded` trait to the test or suite, or inherit from `SandboxTestCase`.",
            "Or wrap the code and the expectation: `withRecorder(ResolutionRecorder()) { … }`.",
          ]
      ).text, at: location)
    return nil
  }

  /// The recorded scope of the only test with a sandbox open, whose work without a context is.
  private static var ofOnlyTest: ContextFrame? {
    if ProcessHooks.current.isInTest() { return nil }
    return ContextFrame.withOpen { open in
      let tests = ContextFrame.testSandboxes(of: open)
      guard tests.count == 1 else { return nil }
      return open.filter { $0.recorder != nil && $0.isInside(tests[0]) }
        .max { $0.number < $1.number } ?? tests[0].chain.first { $0.recorder != nil }
    }
  }

  func resolutions(of key: ServiceKey) -> [ResolutionEvent] {
    resolutions.filter { $0.concerns(key) }
  }

  /// Reports a failed expectation about a service, with similar requests.
  func fail(_ headline: String, about key: ServiceKey) {
    var facts: [(String, String)] = []
    for event in events where event.isRequest && !event.concerns(key) {
      guard let note = closeness(of: event.key, to: key), !facts.contains(where: { $0.1 == note })
      else { continue }
      facts.append(("close:", note))
    }
    for event in events where event.kind == .missed && event.concerns(key) {
      facts.append(("missed:", "requested at \(event.requestedAt!), in \(event.container)"))
    }
    fail(headline, facts: facts)
  }

  func fail(_ headline: String, facts: [(String, String)] = [], fixes: [String] = []) {
    let text = Diagnosis(headline: headline, facts: facts, fixes: fixes).text
    ledger.fail(text + "\n\n" + whatWasResolved, at: location)
    frame.noteShown(events)
  }

  /// The ledger of the recorder's test, which receives what fails outside the test's task.
  private var ledger: DoubleLedger? { .of(frame.sandbox ?? frame.outermostOfTest ?? frame) }

  private var whatWasResolved: String {
    let tree = ResolutionRecorder.tree(of: events)
    if tree.isEmpty { return "Nothing was resolved." }
    return "Resolved:\n"
      + tree.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }

  private func closeness(of candidate: ServiceKey, to key: ServiceKey) -> String? {
    if candidate.type == key.type {
      if key.property == nil { return "`\(candidate)` was resolved, under another name" }
      let way = candidate.property == nil ? "by type" : "as another property"
      return "`\(candidate)` was resolved, \(way)"
    }
    if conforms(candidate.type, to: key.type) || conforms(key.type, to: candidate.type) {
      return "`\(candidate)` was resolved, not `\(key)`"
    }
    return nil
  }
}

extension ResolutionEvent {
  /// Whether a request of this one is that of a decoration for the service that it decorates.
  ///
  /// A decoration requests its own service, at the location of its registration.
  fileprivate func wraps(_ inner: ResolutionEvent) -> Bool {
    key == inner.key && registeredAt == inner.requestedAt
  }
}

extension ContextFrame {
  /// Records that a failure showed all events so far.
  fileprivate func noteShown(_ events: [ResolutionEvent]) {
    withNotes { $0.shownEvents = events.count }
  }

  /// The tree of a failed test's requests; nil if a failure shows it already.
  var unshownTree: String? {
    guard let events = resolutionRecorder?.events, events.contains(where: \.isRequest),
      notes?.shownEvents != events.count
    else { return nil }
    return ResolutionRecorder.tree(of: events)
  }
}

// Expectations about a service, by type or by the property that declares it.

extension Recording {
  func expectResolved(_ key: ServiceKey, times: Int?, built: Int?) {
    let events = resolutions(of: key)
    if let times, events.count != times {
      fail(
        "Expected `\(key)` to be resolved \(counted(times)), "
          + "but it was resolved \(counted(events.count)).", about: key)
    } else if times == nil, events.isEmpty {
      fail("Expected `\(key)` to be resolved, but it was not.", about: key)
    }
    let made = events.count { $0.kind == .created }
    if let built, made != built {
      fail(
        "Expected `\(key)` to be built \(counted(built)), but it was built \(counted(made)).",
        about: key)
    }
  }

  func expectNotResolved(_ key: ServiceKey) {
    let events = resolutions(of: key)
    guard !events.isEmpty else { return }
    fail(
      "Expected `\(key)` not to be resolved, but it was resolved \(counted(events.count)).",
      facts: events.compactMap(\.requestedAt).map { ("requested:", "\($0)") })
  }

  /// Expects services to have been resolved in an order, possibly with others in between.
  func expectResolved(inOrder keys: [ServiceKey]) {
    var rest = resolutions[...]
    var previous: ServiceKey?
    for key in keys {
      guard let place = rest.firstIndex(where: { $0.concerns(key) }) else {
        let order = keys.map(\.description).joined(separator: ", ")
        let after = previous.map { " after `\($0)`" } ?? ""
        fail(
          "Expected to be resolved in this order: \(order). "
            + "But `\(key)` was not resolved\(after).")
        return
      }
      rest = rest[(place + 1)...]
      previous = key
    }
  }

  /// Expects every resolved service to be a double, unless it may be live.
  func expectOnlyDoublesResolved(except mayBeLive: (ServiceKey) -> Bool) {
    let live = resolutions.filter { !$0.isDouble && !mayBeLive($0.key) }
    guard let first = live.first?.key else { return }
    var seen: [String] = []
    let facts = live.compactMap { event -> (String, String)? in
      let text =
        "`\(event.key)` in \(event.container), registered at \(event.registeredAt!), "
        + "requested at \(event.requestedAt!)"
      if seen.contains(text) { return nil }
      seen.append(text)
      return ("live:", text)
    }
    let container = frame.sandbox == nil ? "mock." : ""
    fail(
      "Expected only doubles to be resolved, but "
        + (facts.count == 1 ? "a live service was." : "\(facts.count) live services were."),
      facts: facts,
      fixes: [
        "Register a double: \(first.doubleAdvice(container))"
          + (first.property == nil ? "." : " in a layer."),
        "If it may be live, exclude it: `except: \(first.sourceText)`.",
      ])
  }
}
#endif
