#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Work that belongs to no test, while sandboxes are open. It can be attributed to a test only if no
// other is a candidate:
//
// - only one test has a sandbox open;
// - or only one has registered something in the requested container, or has settings of it, and
//   nothing else reaches that container;
// - or only one is written in the same file as the work.
//
// The work is noted and counted in the test's sandbox, which reports it at its end in the test's
// name: once for each place and test, or with each sandbox if the test is to fail. Only work that
// can be attributed to a test fails it. Other work is reported to the test that opened its sandbox
// last, once for each place in the process, and to every test that is to fail because of such work,
// once for each place.

extension ScopeNotes {
  /// Counts a noted place again; returns false if it is new, or can be attributed only now.
  fileprivate mutating func countAgain(_ place: UnscopedNote.Action, isAttributed: Bool) -> Bool {
    guard let index = unscopedNotes.firstIndex(where: { $0.place == place }),
      unscopedNotes[index].isAttributed || !isAttributed
    else { return false }
    unscopedNotes[index].count += 1
    return true
  }

  fileprivate mutating func add(_ note: UnscopedNote) {
    if countAgain(note.place, isAttributed: note.isAttributed) { return }
    guard let index = unscopedNotes.firstIndex(where: { $0.place == note.place }) else {
      return unscopedNotes.append(note)
    }
    // A note that can be attributed takes precedence.
    let count = unscopedNotes[index].count + 1
    unscopedNotes[index] = note
    unscopedNotes[index].count = count
  }
}

extension ContextFrame {
  /// The maximum number of open scopes that a report names.
  private static let shownScopes = 10

  /// Whether any sandbox is open; retains none of them.
  static var isAnySandboxOpen: Bool { withOpen { $0.contains { $0.sandbox != nil } } }

  /// Returns the places of scopes with their counts, up to the number that a report names.
  static func places(of open: [ContextFrame]) -> [String] {
    var places: [(place: String, count: Int)] = []
    var known: [String: Int] = [:]
    for frame in open {
      let place = frame.opener.place
      if let index = known[place] {
        places[index].count += 1
      } else {
        known[place] = places.count
        places.append((place, 1))
      }
    }
    let shown = places.prefix(shownScopes).map {
      $0.count == 1 ? $0.place : "\($0.place), \($0.count) times"
    }
    return places.count > shownScopes ? shown + ["… \(places.count - shownScopes) more"] : shown
  }

  /// Returns the sandbox opened last of each test among open sandboxes.
  private static func tests(of open: [ContextFrame]) -> [ContextFrame] {
    // Thousands are open when thousands of test cases run at once.
    var places: [UInt64: Int] = [:]
    var tests: [ContextFrame] = []
    for frame in open {
      var outermost = frame.number
      for sandbox in frame.sandboxes { outermost = sandbox.number }
      if let place = places[outermost] {
        tests[place] = frame
      } else {
        places[outermost] = tests.count
        tests.append(frame)
      }
    }
    return tests
  }

  /// Returns the one test that work can be attributed to, or all that it can belong to.
  private static func candidates(
    among all: [ContextFrame], of request: Request, in core: ContainerCore?
  ) -> [ContextFrame] {
    if all.count < 2 { return all }
    if let core {
      let users = all.filter { $0.sandboxes.contains { $0.hasView(of: core) } }
      if users.count == 1 { return users }
    }
    let file = request.location.fileID
    let near = all.filter { $0.opener.isTest && $0.opener.location.fileID == file }
    return near.count == 1 ? near : all
  }

  /// Notes a request without a context that no scope serves: it gets what production registered.
  static func noteUnscoped(_ request: Request, _ container: Resolver) {
    if TestListing.isOpen { TestListing.note(request, container) }
    // A request of a test concerns that test only; and checking all scopes takes long if there are
    // thousands.
    guard !ProcessHooks.current.knowsTest, isAnySandboxOpen,
      request.isToBeReported(container: container, nil)
    else { return }
    // The declaration of a property is not looked up by its key.
    let isKnown =
      request.property != nil
      || Lookup.find(request.key, in: container.core, nil) != nil
    noteUnscoped(
      request, done: "resolved", in: container.core, facts: chainFacts(request)
    ) { [key = request.key] open in
      "`\(key)` was resolved by work that belongs to no test, while \(open) open: it got "
        + (isKnown ? "the live service." : "what production registers.")
    }
  }

  /// Notes what such work registers or removes in a container that others reach, where it stays.
  static func noteUnscoped(_ registration: Registration, in core: ContainerCore) {
    guard core.isEverybodys else { return }
    let key = registration.key
    let request = Request(key, location: registration.location)
    let (done, outcome) =
      registration.isRemoval
      ? ("removed", "the process is without it") : ("registered", "the process keeps it")
    noteUnscoped(
      request, done: done, in: core, facts: [("\(done):", "\(registration.location)")]
    ) { open in
      "`\(key)` was \(done) by work that belongs to no test, while \(open) open: \(outcome)."
    }
  }

  /// Notes an action of work that belongs to no test with the tests that it can belong to.
  ///
  /// `core`: the container that is used, if any.
  static func noteUnscoped(
    _ request: Request, done: String, in core: ContainerCore? = nil, facts: [(String, String)],
    headline: @escaping (_ open: String) -> String
  ) {
    let otherwise = ProcessPolicies.unscopedWork
    let place = UnscopedNote.Action(link: request.chainLink, done: done)
    let ownCore = core.flatMap { $0.isEverybodys ? nil : $0 }
    // Under the lock of the open scopes, which retains only tests with a new place: a repeated one
    // is counted.
    let (new, isAttributed, failsForAll, adopts) = withOpen { open in
      let open = open.filter { $0.kind == .sandbox }.sorted { $0.number < $1.number }
      let tests = candidates(among: tests(of: open), of: request, in: ownCore)
      let isAttributed = tests.count == 1
      let policies = tests.map { $0.unscopedPolicy(otherwise) }
      let treatments = policies.map(\.strictness)
      // If it may belong to several, one warning is enough.
      let last = treatments.lastIndex { $0 != .off }
      var new: [(test: ContextFrame, treatment: Strictness)] = []
      for (index, test) in tests.enumerated() where index == last || treatments[index] == .fail {
        let isCounted = test.countAgain(place, isAttributed: isAttributed)
        if isCounted || !isAttributed && treatments[index] != .fail && wasReported(place) {
          continue
        }
        new.append((test, treatments[index]))
      }
      return (
        new, isAttributed, treatments.allSatisfy { $0 == .fail }, policies.contains(.adopt)
      )
    }
    if new.isEmpty { return }
    // Other open scopes are named if they are the reason that none serves the work.
    let open =
      !isAttributed || adopts
      ? places(of: allOpen.filter { adopts ? $0.sandbox != nil : $0.kind == .sandbox }) : []
    for (test, treatment) in new {
      test.note(
        UnscopedNote(
          place: place, headline: headline, facts: facts + factsOfWork,
          isAttributed: isAttributed, failsForAll: failsForAll, treatment: treatment, open: open))
    }
  }

  /// The thread, and the scope that the owner of the lazy wrapper in use was made in.
  private static var factsOfWork: [(String, String)] {
    [("thread:", threadText)]
      + (endedOrigin.map { [("made in:", "\($0), which has ended")] } ?? [])
  }

  /// Whether work that may belong to several tests was already reported.
  private static func wasReported(_ place: UnscopedNote.Action) -> Bool {
    reported.withLock { $0.contains(Reported(place: place, test: nil)) }
  }

  /// Counts work at a place that is already known; returns false if it is not.
  func countAgain(_ place: UnscopedNote.Action, isAttributed: Bool) -> Bool {
    withNotes { $0.countAgain(place, isAttributed: isAttributed) }
  }

  func note(_ note: UnscopedNote) {
    withNotes { $0.add(note) }
    // The scope may have ended meanwhile, after its own report.
    if hasEnded { reportUnscopedNotes() }
  }

  private struct Reported: Hashable {
    let place: UnscopedNote.Action
    /// The test; nil if it is not specific to one.
    let test: RunningTest?
  }

  private static let reported = Lock<Set<Reported>>([])

  /// Reports actions of work that belongs to no test during the scope, which has ended.
  func reportUnscopedNotes() {
    guard extra(Lock<ScopeNotes>.self) != nil else { return }
    let notes = withNotes { exchange(&$0.unscopedNotes, with: []) }
    if notes.isEmpty { return }
    let outermost = Array(chain).last { $0.opener.isTest } ?? self
    let test = RunningTest(outermost.opener.name, at: outermost.opener.location)
    for note in notes {
      func isFirst(of test: RunningTest?) -> Bool {
        Self.reported.withLock { $0.insert(Reported(place: note.place, test: test)).inserted }
      }
      let severity: IssueSeverity
      if note.isAttributed {
        // A warning is about the code rather than about the test: many cases report it once.
        if note.treatment != .fail, !isFirst(of: test) { continue }
        severity = note.treatment.severity ?? .warning
      } else {
        let isFirstTest = isFirst(of: nil)
        let wantsToFail = note.treatment == .fail && isFirst(of: test)
        if !isFirstTest, !wantsToFail { continue }
        severity = isFirstTest && note.failsForAll ? .error : .warning
      }
      ProcessHooks.current.report(note.issue(severity, in: self))
    }
  }
}
#endif
