internal import DIPrimitives

// Start-up: the code that registers an application's services runs once, before the first
// resolution, outside every context, so that its registrations are base state whichever test comes
// first. Until it has run, `di_attention` is not zero, so later requests need no further check.
// Other threads wait for it, and requests of start-up code itself do not: see `SetUpRuns`.
//
// There is one `registerAllServices` in a process, that of the conformance which the runtime finds,
// and any number of parts that were added with `Resolver.registerAtStart`.

package enum Startup {
  // The count of attention begins with one for this.
  private static let turn = SetUpRuns(isPending: true)
  /// Its number among the set-up code of a sandbox, where each container has its own.
  private static let number: UInt64 = 0

  @inline(__always)
  package static func runIfNeeded() {
    if di_attention_needed() != 0 { runIfPending() }
  }

  /// `bound`: the frame of the calling task.
  static func runIfPending(boundTo bound: ContextFrame? = ContextFrame.bound) {
    if let frame = ContextFrame.current(ofTask: bound) {
      for sandbox in frame.sandboxes {
        // Into the view of the sandbox that was reset, not into one inside it.
        guard let turn = sandbox.setUpRuns(number) else { continue }
        if !turn.hasBegun(parts.withLock { $0.count }) { turn.request(ofAllParts: false) }
        turn.runIfPending {
          ContextFrame.$bound.withValue(sandbox.withoutPushed) { runParts(turn) }
        }
      }
    }
    turn.runIfPending {
      ContextFrame.settingUp { runParts(turn) }
    } whenDone: {
      di_attention_add(-1)
    }
  }

  private static func runParts(_ turn: SetUpRuns) {
    RegisteringContext.with({ $0.begin(.startup) }) {
      while let part = nextPart(turn) { part() }
    }
    RuntimeCopies.report()
    Tests.willResolve()
  }

  private static func nextPart(_ turn: SetUpRuns) -> (() -> Void)? {
    parts.withLock { parts in turn.beginPart(of: parts.count).map { parts[$0].setUp } }
  }

  /// Makes start-up run again before the next resolution, for the process or the current sandbox.
  static func rearm() {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.makeSetUpRuns(number).request()
    } else {
      turn.request { di_attention_add(1) }
    }
  }

  // MARK: Parts

  /// The parts, in the order in which they run.
  ///
  /// That of the conformance, which no place added, comes first.
  private static let parts = Lock<[(site: CodeLocation?, setUp: @Sendable () -> Void)]>([
    (nil, registerAllServices)
  ])

  /// The ids of the registrations that `registerAllServices` made for the process.
  static var registered: Range<UInt64> { registeredIDs.withLock { $0 } }
  private static let registeredIDs = Lock<Range<UInt64>>(0..<0)

  @Sendable
  private static func registerAllServices() {
    guard let services = Resolver.self as Any as? any ResolverRegistering.Type else { return }
    let first = SerialNumber.next()
    services.registerAllServices()
    // In the view of a sandbox it is the same function as in the process.
    if ContextFrame.isSettingUp { registeredIDs.withLock { $0 = first..<SerialNumber.next() } }
  }

  /// Adds a part, which runs before the next resolution, unless its line has added it already.
  fileprivate static func add(_ part: @escaping @Sendable () -> Void, at site: CodeLocation) {
    let isNew = parts.withLock { parts in
      if parts.contains(where: { $0.site == site }) { return false }
      parts.append((site, part))
      return true
    }
    if isNew { turn.request(ofAllParts: false) { di_attention_add(1) } }
  }
}

extension ContextFrame {
  /// The turns of set-up code that runs again into a sandbox's view, because that was reset.
  private typealias SetUpRunsByContainer = Lock<[UInt64: SetUpRuns]>

  /// The runs of set-up code in this sandbox, by the number of its container, if any was requested.
  func setUpRuns(_ number: UInt64) -> SetUpRuns? {
    extra(SetUpRunsByContainer.self)?.withLock { $0[number] }
  }

  /// The same, which is made if there is none.
  func makeSetUpRuns(_ number: UInt64) -> SetUpRuns {
    extra(SetUpRunsByContainer.self) { SetUpRunsByContainer([:]) }.withLock { turns in
      let turn = turns[number] ?? SetUpRuns(isPending: false)
      turns[number] = turn
      return turn
    }
  }
}

extension Resolver {
  /// Adds a closure that registers services at start-up, from any number of modules.
  ///
  /// ```swift
  /// public func registerPayments() {
  ///   Resolver.registerAtStart {
  ///     Resolver.register { CardGateway() as any PaymentGateway }.scope(.cached)
  ///   }
  /// }
  /// ```
  ///
  /// The closure runs once per process, before the next resolution: the first call from a line adds
  /// it, and later ones do nothing. It runs after `registerAllServices` and the closures added
  /// before it. As with that, its registrations are base state, even if a test adds it in a
  /// sandbox; they never overwrite a double, and are made again after `Resolver.reset()`.
  ///
  /// A process has one `registerAllServices`, although several modules may conform `Resolver` to
  /// `ResolverRegistering`; SwiftPM, for one, links all test targets of a package into one process.
  ///
  /// - Parameter body: A closure that registers services.
  public static func registerAtStart(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: @escaping @Sendable () -> Void
  ) {
    Startup.add(body, at: CodeLocation(fileID, filePath, line, column))
  }
}
