#if canImport(Testing) && canImport(XCTest)
import DIContainer
import XCTest

// Requests of stored properties of test cases while XCTest creates the test cases: before any test
// begins, and so before any sandbox. They are recorded (TestListing.swift). A
// `SandboxTestCase` takes its own requests; those in between belong to plain test cases, which are
// identified when the first suite begins, by the order of its test cases. All of them are reported
// by the first test of a class that opens a scope, since that would have applied.

/// A base class of test cases that takes the requests of its subclasses' stored properties.
protocol TakesPropertyRequests: XCTestCase {
  var propertyRequests: [TestListing.LiveRequest] { get }
}

enum StoredProperties {
  /// A request of a class's stored properties, and the possible classes, of which there is one if
  /// it can be determined.
  fileprivate struct Finding {
    let entry: TestListing.LiveRequest
    let testCases: [XCTestCase.Type]
  }

  fileprivate struct Requests {
    var wasFilled = false
    /// The findings to report, by the class of test cases.
    var pending: [ObjectIdentifier: [Finding]] = [:]
  }

  // Unchecked: its contents are immutable, and classes may be used on every thread.
  private static let state = Lock(Unchecked(Requests()))
  /// Whether there are findings to report; read whenever a scope opens.
  private static let isPending = Atomic()

  /// Attributes the requests when a suite begins, and discards them if a test runs already.
  static func testsBegin(_ suite: XCTestSuite?) {
    let rest = TestListing.take()
    TestListing.end()
    guard let suite, !state.withLock({ $0.value.wasFilled }) else { return }
    let pending = findings(testCases(in: suite), rest)
    state.withLock { $0 = Unchecked(Requests(wasFilled: true, pending: pending)) }
    isPending.set(!pending.isEmpty)
  }

  private static func testCases(in test: XCTest) -> [XCTestCase] {
    if let suite = test as? XCTestSuite { return suite.tests.flatMap(testCases) }
    return (test as? XCTestCase).map { [$0] } ?? []
  }

  /// Reports the requests of stored properties of a plain test case, when it opens a scope.
  static func reportOfRunningTest() {
    guard isPending.isSet, let type = RunningXCTest.type,
      !(type is any TakesPropertyRequests.Type)
    else { return }
    report(of: type)
  }

  /// Reports the requests of the stored properties of a class of test cases.
  static func report(
    of type: XCTestCase.Type,
    isFailure: (FramePolicy.LiveService) -> Bool = { _ in false }
  ) {
    for issue in issues(of: type, isFailure: isFailure) { IssueReporter.report(issue) }
    guard isPending.isSet else { return }
    state.withLock { state in
      var new = state.value
      new.pending[ObjectIdentifier(type)] = nil
      state = Unchecked(new)
    }
  }

  /// Returns the issues to report about a class.
  static func issues(
    of type: XCTestCase.Type,
    isFailure: (FramePolicy.LiveService) -> Bool = { _ in false }
  ) -> [DiagnosticIssue] {
    guard isPending.isSet else { return [] }
    let findings = state.withLock { $0.value.pending[ObjectIdentifier(type)] ?? [] }
    return findings.map { finding in
      let entry = finding.entry
      return DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(entry.service.key)` was resolved before any test began: "
            + "it is the live service.",
          facts: [
            ("requested:", "\(entry.location)"),
            ("test case:", finding.testCases.map { "`\($0)`" }.joined(separator: " or ")),
          ],
          fixes: [
            "Set the stored property that resolves it in `setUp`, or make it `lazy`: XCTest makes "
              + "every test case before the first test runs.",
            "Or declare the dependency as `@LazyInjected` or `@DynamicInjected`: they resolve "
              + "when they are used.",
          ]
        ).text, severity: isFailure(entry.service) ? .error : .warning, location: entry.location)
    }
  }
}

extension StoredProperties {
  /// Attributes requests to classes, by the order in which the test cases were created.
  ///
  /// `rest`: the requests after the last test case that takes its own requests.
  private static func findings(
    _ testCases: [XCTestCase], _ rest: [TestListing.LiveRequest]
  ) -> [ObjectIdentifier: [Finding]] {
    var groups: [TestListing.LiveRequest: [[XCTestCase.Type]]] = [:]
    var candidates: [XCTestCase.Type] = []
    func add(_ entries: [TestListing.LiveRequest]) {
      for entry in entries { groups[entry, default: []].append(candidates) }
      candidates = []
    }
    for testCase in testCases {
      let made = type(of: testCase)
      if hasStoredProperties(testCase), candidates.last != made { candidates.append(made) }
      if let base = testCase as? any TakesPropertyRequests { add(base.propertyRequests) }
    }
    add(rest)
    var findings: [ObjectIdentifier: [Finding]] = [:]
    for (entry, groups) in groups.sorted(by: { $0.key.place < $1.key.place }) {
      let known = Set(groups.filter { $0.count == 1 }.map { ObjectIdentifier($0[0]) })
      for group in groups
      where group.count == 1 || known.isDisjoint(with: group.map { ObjectIdentifier($0) }) {
        for type in group
        where !(findings[ObjectIdentifier(type)] ?? []).contains(where: { $0.entry == entry }) {
          findings[ObjectIdentifier(type), default: []].append(
            Finding(entry: entry, testCases: group))
        }
      }
    }
    return findings
  }

  /// Whether a test case has stored properties besides those of its base class.
  private static func hasStoredProperties(_ testCase: XCTestCase) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: testCase)
    while let next = mirror {
      let superclass = next.superclassMirror
      let isBase =
        superclass?.subjectType == XCTestCase.self
        && next.subjectType is any TakesPropertyRequests.Type
      if isBase || next.subjectType == XCTestCase.self { return false }
      if !next.children.isEmpty { return true }
      mirror = superclass
    }
    return false
  }
}

extension TestListing.LiveRequest {
  fileprivate var place: (String, UInt, UInt) {
    (location.fileID, location.line, location.column)
  }
}
#endif
