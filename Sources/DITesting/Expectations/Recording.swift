#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// What an expectation looks at: the events so far of the recorder that is listening.
struct Recording {
  let events: [ResolutionEvent]
  let location: CodeLocation

  /// The current recording; reports and answers nil when nothing is recorded.
  static func current(at location: CodeLocation) -> Recording? {
    TestHooks.install()
    if let recorder = ResolutionRecorder.current {
      return Recording(events: recorder.events, location: location)
    }
    IssueReporter.fail(
      Diagnosis(
        headline: "Nothing is recorded here, so nothing can be said about what was resolved.",
        facts: [("expected:", "\(location)")],
        fixes: [
          "Add the `.recorded` trait to the test or suite, or inherit from `SandboxTestCase`.",
          "Or wrap the code and the expectation: `withRecorder(ResolutionRecorder()) { … }`.",
        ]
      ).text, at: location)
    return nil
  }

  var resolutions: [ResolutionEvent] {
    events.filter { $0.kind == .created || $0.kind == .kept }
  }

  func resolutions(of type: Any.Type, name: Resolver.Name?) -> [ResolutionEvent] {
    resolutions.filter { counts($0, type, name) }
  }

  private func counts(_ event: ResolutionEvent, _ type: Any.Type, _ name: Resolver.Name?) -> Bool {
    event.key.type == type && (name == nil || event.key.name == name)
  }

  /// Reports a failed expectation about a service, with what comes close to it.
  func fail(_ headline: String, _ type: Any.Type, _ name: Resolver.Name?) {
    let key = ServiceKey(type, name: name)
    var facts: [(String, String)] = []
    for event in events where event.isRequest && !counts(event, type, name) {
      guard let note = closeness(of: event.key, to: key), !facts.contains(where: { $0.1 == note })
      else { continue }
      facts.append(("close:", note))
    }
    for event in events where event.kind == .missed && counts(event, type, name) {
      facts.append(("missed:", "requested at \(event.requestedAt!), in \(event.container)"))
    }
    fail(headline, facts: facts)
  }

  func fail(_ headline: String, facts: [(String, String)] = [], fixes: [String] = []) {
    let text = Diagnosis(headline: headline, facts: facts, fixes: fixes).text
    IssueReporter.fail(text + "\n\n" + whatWasResolved, at: location)
  }

  private var whatWasResolved: String {
    let tree = ResolutionRecorder.tree(of: events)
    if tree.isEmpty { return "Nothing was resolved." }
    return "Resolved:\n"
      + tree.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }

  private func closeness(of candidate: ServiceKey, to key: ServiceKey) -> String? {
    if candidate.type == key.type { return "`\(candidate)` was resolved, under another name" }
    if conforms(candidate.type, to: key.type) || conforms(key.type, to: candidate.type) {
      return "`\(candidate)` was resolved, not `\(key)`"
    }
    return nil
  }
}
#endif
