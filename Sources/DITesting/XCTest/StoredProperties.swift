#if canImport(Testing) && canImport(XCTest)
import DIContainer
import XCTest

// What stored properties of test cases resolved while XCTest made the test cases: before any test
// began, and so before any sandbox. The kernel notes the requests (TestListing.swift). A
// `SandboxTestCase` takes those of its own with it. What comes in between is a plain test case's:
// which one shows when the first suite begins, in the order of its test cases. All of it is
// reported by the first test of a class that opens a scope, since that would have answered.

extension Resolver: TestProcess {
  package static func willResolve() { StoredProperties.listen() }
}

enum StoredProperties {
  private struct State {
    /// The classes whose stored properties may have made a request: one, if that can be told.
    var owners: [TestListing.Entry: [XCTestCase.Type]] = [:]
    /// What is yet to be reported, in the order of the requests.
    var pending: [ObjectIdentifier: [TestListing.Entry]] = [:]
  }

  // Unchecked: what it holds is immutable, and classes may be looked at from every thread.
  private static let state = Lock(Unchecked(State()))
  /// Whether there is anything to report; asked with every scope that opens.
  private static let isPending = Atomic()

  /// Has requests noted, if XCTest may be making test cases.
  static func listen() {
    guard IssueReporter.isOnlyXCTest, Thread.isMainThread, XCTestCaseObserver.current == nil
    else { return }
    XCTestCaseObserver.install()
    TestListing.begin()
  }

  /// The requests of the test case that is being made.
  static func take() -> [TestListing.Entry] {
    listen()
    return TestListing.take()
  }

  /// Finds out whose requests they are, when a suite begins; of a test that runs already, nothing.
  static func testsBegin(_ suite: XCTestSuite?) {
    let rest = TestListing.take()
    TestListing.end()
    guard let suite else { return }
    state.withLock { state in
      guard state.value.owners.isEmpty else { return }
      var new = State()
      new.add(testCases(in: suite), rest)
      state = Unchecked(new)
      isPending.set(!new.pending.isEmpty)
    }
  }

  private static func testCases(in test: XCTest) -> [XCTestCase] {
    if let suite = test as? XCTestSuite { return suite.tests.flatMap(testCases) }
    return (test as? XCTestCase).map { [$0] } ?? []
  }

  /// Reports what a test case's stored properties resolved.
  static func report(of testCase: SandboxTestCase) {
    report(of: type(of: testCase)) { service in
      testCase.strictness == .fail && !testCase.mayBeLive(service)
    }
  }

  /// Reports what stored properties of a plain test case resolved, now that it opens a scope.
  static func reportOfRunningTest() {
    guard isPending.isSet, let type = XCTestCaseObserver.currentType,
      !(type is SandboxTestCase.Type)
    else { return }
    report(of: type)
  }

  private static func report(
    of type: XCTestCase.Type,
    isFailure: (ScopePolicy.LiveService) -> Bool = { _ in false }
  ) {
    for issue in issues(of: type, isFailure: isFailure) { IssueReporter.report(issue) }
    guard isPending.isSet else { return }
    state.withLock { state in
      var new = state.value
      new.pending[ObjectIdentifier(type)] = nil
      state = Unchecked(new)
    }
  }

  /// What is yet to be reported of a class.
  static func issues(
    of type: XCTestCase.Type,
    isFailure: (ScopePolicy.LiveService) -> Bool = { _ in false }
  ) -> [DiagnosticIssue] {
    guard isPending.isSet else { return [] }
    let state = state.withLock { $0.value }
    return (state.pending[ObjectIdentifier(type)] ?? []).map { entry in
      let owners = (state.owners[entry] ?? []).map { "`\($0)`" }
      return DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(entry.service.key)` was resolved before any test began: "
            + "it is the live service.",
          facts: [
            ("requested:", "\(entry.location)"),
            ("test case:", owners.joined(separator: " or ")),
          ],
          fixes: [
            "Set the stored property that asks for it in `setUp`, or make it `lazy`: XCTest makes "
              + "every test case before the first test runs.",
            "Or declare the dependency as `@LazyInjected` or `@DynamicInjected`: they ask when "
              + "they are used.",
          ]
        ).text, severity: isFailure(entry.service) ? .error : .warning, location: entry.location)
    }
  }
}

extension StoredProperties.State {
  /// `rest`: what was requested after the last test case that takes its requests with it.
  fileprivate mutating func add(_ testCases: [XCTestCase], _ rest: [TestListing.Entry]) {
    var plain: [XCTestCase.Type] = []
    for testCase in testCases {
      guard let sandboxed = testCase as? SandboxTestCase else {
        if hasStoredProperties(testCase), plain.last != type(of: testCase) {
          plain.append(type(of: testCase))
        }
        continue
      }
      let own = hasStoredProperties(testCase) ? [type(of: testCase) as XCTestCase.Type] : []
      add(sandboxed.propertyRequests, plain + own)
      plain = []
    }
    add(rest, plain)
    for (entry, owners) in owners {
      for owner in owners { pending[ObjectIdentifier(owner), default: []].append(entry) }
    }
    for owner in pending.keys { pending[owner]?.sort { ($0.place) < ($1.place) } }
  }

  private mutating func add(_ entries: [TestListing.Entry], _ candidates: [XCTestCase.Type]) {
    for entry in entries {
      // Another instance of a class may tell that it is one of them.
      let known = owners[entry] ?? []
      let both = known.filter { known in candidates.contains { $0 == known } }
      owners[entry] = both.isEmpty ? known + candidates : both
    }
  }

  /// Whether a test case has stored properties beside those of its base class.
  private func hasStoredProperties(_ testCase: XCTestCase) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: testCase)
    while let next = mirror {
      if next.subjectType == SandboxTestCase.self || next.subjectType == XCTestCase.self {
        return false
      }
      if !next.children.isEmpty { return true }
      mirror = next.superclassMirror
    }
    return false
  }
}

extension TestListing.Entry {
  fileprivate var place: (String, UInt, UInt) {
    (location.fileID, location.line, location.column)
  }
}
#endif
