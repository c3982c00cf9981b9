internal import DIPrimitives

// What registers the services of an application runs once, before the first resolution: outside
// every context, so that what it sets up is base state whichever test happens to come first. Until
// it has run, `di_attention` is not zero, so that nobody needs to look at it afterwards. Other
// threads wait for it, and what start-up code itself asks for is let through: see
// StartupTurn.swift.
//
// There is one `registerAllServices` in a process, that of the conformance which the runtime finds,
// and any number of parts that were added with `Resolver.registerAtStart`.

enum Startup {
  // The count of what is odd, and that of what asks for attention, begin with one for this.
  private static let run = StartupRun(isPending: true)

  @inline(__always)
  static func runIfNeeded() {
    if di_attention_needed() != 0 { runIfPending() }
  }

  static func runIfPending() {
    if let frame = ContextFrame.current, frame.hasExtrasAround {
      for sandbox in frame.sandboxes {
        // Into the view of the sandbox that was reset, not into one inside it.
        guard let startup = sandbox.startup else { continue }
        if startup.lacksParts { startup.goOn() }
        startup.runIfPending(in: sandbox)
      }
    }
    // What is pending for the process makes all scopes odd.
    guard di_scopes_are_odd() else { return }
    run.runIfPending(in: .base) {
      di_odd_scopes_add(-1)
      di_attention_add(-1)
    }
  }

  /// The identities of what `registerAllServices` registered for the process.
  static var registered: Range<UInt64> { StartupParts.registered.withLock { $0 } }

  /// Has start-up run again before the next resolution.
  static func rearm() { run.startAgain(ifNew: noteNew) }

  /// Has a part run that was added, before the next resolution.
  fileprivate static func goOn() {
    run.goOn(ifNew: noteNew)
  }

  private static func noteNew() {
    di_odd_scopes_add(1)
    di_attention_add(1)
  }
}

/// What has run of start-up, and what has still to run: for the process, or for the view of one
/// sandbox.
final class StartupRun: Sendable {
  private let turn: StartupTurn
  /// How many of the parts have run, or are running.
  private let begun = Lock(0)

  init(isPending: Bool) { turn = StartupTurn(isPending: isPending) }

  /// Asks for a run of everything.
  func startAgain(ifNew: () -> Void = {}) {
    // A reset in start-up code does not start that again.
    turn.ask(before: { begun.withLock { $0 = 0 } }, ifNew: ifNew)
  }

  /// Whether something was added since the last run.
  var lacksParts: Bool { begun.withLock { StartupParts.part($0) != nil } }

  /// Asks for a run of what was added since the last one.
  func goOn(ifNew: () -> Void = {}) { turn.ask(ifNew: ifNew) }

  func runIfPending(in frame: ContextFrame, whenDone: () -> Void = {}) {
    turn.runIfPending {
      ContextFrame.$bound.withValue(frame) {
        RegisteringContext.with({ $0.isStartingUp = true }) {
          while let part = nextPart() { part() }
        }
      }
      RuntimeCopies.report()
      TestListing.announce()
    } whenDone: {
      whenDone()
    }
  }

  private func nextPart() -> StartupParts.Part? {
    begun.withLock { begun in
      guard let part = StartupParts.part(begun) else { return nil }
      begun += 1
      return part
    }
  }
}

/// The parts of start-up, in the order in which they run.
private enum StartupParts {
  typealias Part = @Sendable () -> Void

  private struct State {
    var sites: Set<CodeLocation> = []
    // First that of the conformance, if there is one.
    var parts: [Part] = [registerAllServices]
  }

  private static let state = Lock(State())

  private static let registerAllServices: Part = {
    guard let services = Resolver.self as Any as? any ResolverRegistering.Type else { return }
    let first = Registration.nextID()
    services.registerAllServices()
    // In the view of a sandbox it is the same function as in the process.
    if ContextFrame.isSettingUp { registered.withLock { $0 = first..<Registration.nextID() } }
  }

  static let registered = Lock<Range<UInt64>>(0..<0)

  static func part(_ number: Int) -> Part? {
    state.withLock { $0.parts.indices.contains(number) ? $0.parts[number] : nil }
  }

  /// Adds a part, unless its line has added it already.
  static func add(_ part: @escaping Part, at site: CodeLocation) -> Bool {
    state.withLock { state in
      guard state.sites.insert(site).inserted else { return false }
      state.parts.append(part)
      return true
    }
  }
}

extension Resolver {
  /// Adds to what registers the services of the application, in any number of modules.
  ///
  /// ```swift
  /// public func registerPayments() {
  ///   Resolver.registerAtStart {
  ///     Resolver.register { CardGateway() as any PaymentGateway }.scope(.cached)
  ///   }
  /// }
  /// ```
  ///
  /// The closure runs once per process, before the next resolution: the first time that this line
  /// is reached counts, all others do nothing. It runs after `registerAllServices` and what was
  /// added before it. As with that, what it registers is base state, also where a test adds it in
  /// a sandbox, never overwrites a double, and is registered again after `Resolver.reset()`.
  ///
  /// A process has one `registerAllServices`, although several modules may conform `Resolver` to
  /// `ResolverRegistering`; SwiftPM, for one, links all test targets of a package into one process.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, by which the closure is known.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line, by which the closure is known.
  ///   - column: The caller's column, by which the closure is known.
  ///   - body: Registers services.
  public static func registerAtStart(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: @escaping @Sendable () -> Void
  ) {
    let site = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if StartupParts.add(body, at: site) { Startup.goOn() }
  }
}
