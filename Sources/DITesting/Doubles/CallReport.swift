#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A failed expectation about calls, with all calls of the sandboxes' doubles.
struct CallReport {
  private let logs: [any AnyStubLog]
  /// Those of them that it is about.
  private let expected: [any AnyStubLog]
  /// The stubs that were called and released since.
  private let released: [ReleasedStubs]
  private let ledger: DoubleLedger?

  /// Creates a report with the calls of the sandboxes that the stubs belong to.
  init(about logs: [any AnyStubLog]) {
    var seen: Set<ObjectIdentifier> = []
    let ledgers = logs.map(\.identity.ledger).filter { seen.insert(ObjectIdentifier($0)).inserted }
    self.logs = distinct(logs + ledgers.flatMap(\.logs))
    expected = logs
    released = ledgers.flatMap(\.released)
    ledger = logs.first?.identity.ledger ?? ContextFrame.current?.sandbox.map { .of($0) }
  }

  func fail(
    _ headline: String, facts: [(String, String)] = [], fixes: [String] = [],
    of missed: (any AnyStubLog)? = nil, at location: CodeLocation
  ) {
    TestHooks.install()
    let missed = missed.flatMap { missedCall(of: $0) }
    let text = Diagnosis(
      headline: headline, facts: facts + (missed?.facts ?? []) + resets.map { ("reset:", "\($0)") },
      fixes: (missed.map { [$0.fix] } ?? []) + fixes
    ).text
    ledger.fail(logs.isEmpty ? text : text + "\n\n" + called, at: location)
  }

  /// Returns why a stub may have had no call: another double was called, or its own is registered
  /// nowhere.
  func missedCall(of missed: any AnyStubLog) -> (facts: [(String, String)], fix: String)? {
    // That of a type's own requirement is not registered.
    guard missed.notedCalls.isEmpty, !missed.identity.origin.isStatic else { return nil }
    let other = logs.last {
      $0 !== missed && $0.name == missed.name && !$0.notedCalls.isEmpty
    }?.identity.origin
    let gone = released.last { $0.name == missed.name }?.latest
    guard let origin = (other ?? gone)?.registered(besides: missed.identity.origin) else {
      return unregistered(missed) ?? unresolved(missed)
    }
    return (
      [
        ("called:", "another double\(origin.placeText)\(other == nil ? ", which is gone" : "")"),
        ("this one:", missed.identity.origin.registration(besides: origin)),
      ], Self.oneDouble
    )
  }

  /// A double of which something else was called was handed over in another way.
  private func unregistered(
    _ missed: any AnyStubLog
  ) -> (facts: [(String, String)], fix: String)? {
    let origin = missed.identity.origin
    guard origin.registrations.isEmpty, let protocolName = origin.protocolName,
      origin.registrationsByOthers.isEmpty,
      !logs.contains(where: {
        $0.identity.origin.protocolName == protocolName && !$0.notedCalls.isEmpty
      })
    else { return nil }
    return (
      [("this one:", origin.absence)],
      origin.refusal == nil
        ? "If the code under test resolves it, register it: `double(…)`."
        : "Register it for a service that it is: `double(…)`."
    )
  }

  /// A double that nothing resolved was perhaps registered for another service than was resolved.
  private func unresolved(
    _ missed: any AnyStubLog
  ) -> (facts: [(String, String)], fix: String)? {
    let origin = missed.identity.origin
    guard !missed.identity.wasReturned, let last = origin.registrations.last,
      let frame = ContextFrame.current,
      let double = frame.chain.flatMap(\.ownRegistrations).map(\.registration)
        .last(where: { $0.key == last.service && $0.location == last.location })
    else { return nil }
    let close = frame.closeToUnused(double)
    if close.isEmpty { return nil }
    return (close.map(\.fact), close.compactMap(\.fix).first ?? Self.oneDouble)
  }

  private static let oneDouble =
    "Register one double, and expect calls of what `double(…)` returned."

  /// Whether the calls of a stub look like those of another one that was called and expected.
  private func isMistakable(_ log: any AnyStubLog) -> Bool {
    !expected.contains { $0 === log }
      && expected.contains { $0.name == log.name && !$0.notedCalls.isEmpty }
  }

  /// The latest resets of stubs that were not called since.
  private var resets: [CodeLocation] { expected.compactMap(\.resetAt) }

  private var called: String {
    let calls = logs.flatMap { log in
      let note = isMistakable(log) ? "  (on another double\(log.identity.origin.placeText))" : ""
      return log.notedCalls.map { (call: $0, note: note) }
    }.sorted { $0.call.number < $1.call.number }.map { $0.call.text() + $0.note }
    let lines = calls + released.map(\.text)
    if lines.isEmpty { return "No stub was called\(resets.isEmpty ? "" : " since")." }
    return "Called:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }
}

extension DoubleLedger? {
  /// Reports a failed expectation to the test that runs here, or else to the ledger's.
  func fail(_ text: String, at location: CodeLocation) {
    let issue = DiagnosticIssue(text: text, severity: .error, location: location)
    guard let self, !IssueReporter.runsAmongOthers, !IssueReporter.isOnlyXCTest else {
      return IssueReporter.report(issue)
    }
    self.report(issue)
  }
}

/// Returns each stub once, in order of the first mentions.
func distinct(_ logs: [any AnyStubLog]) -> [any AnyStubLog] {
  logs.reduce(into: []) { all, log in
    if !all.contains(where: { $0 === log }) { all.append(log) }
  }
}

/// A type-erased view of the calls of a stub.
protocol AnyStubLog: AnyObject {
  var identity: StubIdentity { get }
  var notedCalls: [NotedCall] { get }
  /// The statements that no call used.
  var unusedRules: [UnusedRule] { get }
  /// The place of the latest reset, if there was no call since.
  var resetAt: CodeLocation? { get }

  /// Marks calls as covered by an expectation.
  func cover(_ places: [Int])
  /// Makes the stub part of the current sandbox, as part of the double of a service.
  func adopt(_ label: String?, _ service: ServiceKey, at location: CodeLocation?)
}

extension AnyStubLog {
  /// The name of the requirement in reports.
  var name: String { identity.name }
}

/// The calls of a double's stub, with the name of its property.
typealias NamedStubLog = (label: String?, log: any AnyStubLog)

/// A call in reports.
struct NotedCall {
  /// Its number among the calls of all doubles.
  let number: UInt
  let isCovered: Bool
  let text: () -> String
}

/// The stubs of one requirement that were called, and released while their sandbox was open or with
/// one inside it.
struct ReleasedStubs {
  let name: String
  let latest: DoubleOrigin
  /// The number of calls: a double that is released takes their arguments along.
  var calls: Int

  init(_ log: any AnyStubLog) {
    (name, latest, calls) = (log.name, log.identity.origin, log.notedCalls.count)
  }

  var text: String { "\(name)  — \(counted(calls)), on doubles that are gone" }
}

/// A statement that no call used.
struct UnusedRule {
  let location: CodeLocation
  /// Whether the requirement was called, but the condition was never met.
  let isForOtherCalls: Bool
}
#endif
