internal import DIPrimitives

// Start-up: the code that registers an application's services runs once, before the first
// resolution, outside every context, so that its registrations are base state whichever test comes
// first. Until it has run, `di_attention` is not zero, so later requests need no further check.
// Other threads wait for it, and requests of start-up code itself do not: see StartupTurn.swift.
//
// There is one `registerAllServices` in a process, that of the conformance which the runtime finds,
// and any number of parts that were added with `Resolver.registerAtStart`.

package enum Startup {
  // The count of attention begins with one for this.
  private static let run = StartupRun(isPending: true)

  @inline(__always)
  package static func runIfNeeded() {
    if di_attention_needed() != 0 { runIfPending() }
  }

  static func runIfPending() {
    if let frame = ContextFrame.current {
      for sandbox in frame.sandboxes {
        // Into the view of the sandbox that was reset, not into one inside it.
        guard let startup = sandbox.startup else { continue }
        if startup.lacksParts { startup.goOn() }
        startup.runIfPending(in: sandbox)
      }
    }
    run.runIfPending(in: nil) { di_attention_add(-1) }
  }

  /// The ids of the registrations that `registerAllServices` made for the process.
  static var registered: Range<UInt64> { StartupParts.registered.withLock { $0 } }

  /// Makes start-up run again before the next resolution.
  static func rearm() { run.startAgain { di_attention_add(1) } }

  /// Makes an added part run before the next resolution.
  fileprivate static func goOn() { run.goOn { di_attention_add(1) } }
}

/// The state of start-up, for the process or for the view of one sandbox.
final class StartupRun: Sendable {
  private let turn: StartupTurn
  /// The number of parts that have run, or are running.
  private let begun = Lock(0)

  init(isPending: Bool) { turn = StartupTurn(isPending: isPending) }

  var isPending: Bool { turn.isPending }

  /// Requests a run of all parts.
  func startAgain(ifNew: () -> Void = {}) {
    // A reset in start-up code does not run that again.
    turn.request(before: { begun.withLock { $0 = 0 } }, ifNew: ifNew)
  }

  /// Whether parts were added since the last run.
  var lacksParts: Bool { begun.withLock { StartupParts.part($0) != nil } }

  /// Requests a run of the parts added since the last one.
  func goOn(ifNew: () -> Void = {}) { turn.request(ifNew: ifNew) }

  /// Runs start-up code if a run is pending.
  ///
  /// - Parameters:
  ///   - sandbox: The sandbox that it registers in; nil for the process.
  ///   - whenDone: Runs under a lock if no further run is pending.
  func runIfPending(in sandbox: ContextFrame?, whenDone: () -> Void = {}) {
    func run() {
      func runParts() {
        RegisteringContext.with({ $0.begin(.startup) }) {
          while let part = nextPart() { part() }
        }
      }
      if let sandbox {
        ContextFrame.$bound.withValue(sandbox.withoutPushed, operation: runParts)
      } else {
        ContextFrame.bindingBase(runParts)
      }
      RuntimeCopies.report()
      Tests.willResolve()
    }
    turn.runIfPending(run, whenDone: whenDone)
  }

  private func nextPart() -> StartupParts.Setup? {
    begun.withLock { begun in
      guard let part = StartupParts.part(begun) else { return nil }
      begun += 1
      return part
    }
  }
}

/// The parts of start-up, in the order in which they run.
private enum StartupParts {
  typealias Setup = @Sendable () -> Void

  // The part of the conformance, which no place added, comes first.
  private static let parts = Lock<[(site: CodeLocation?, setup: Setup)]>([
    (nil, registerAllServices)
  ])

  private static let registerAllServices: Setup = {
    guard let services = Resolver.self as Any as? any ResolverRegistering.Type else { return }
    let first = SerialNumber.next()
    services.registerAllServices()
    // In the view of a sandbox it is the same function as in the process.
    if ContextFrame.isSettingUp { registered.withLock { $0 = first..<SerialNumber.next() } }
  }

  static let registered = Lock<Range<UInt64>>(0..<0)

  static func part(_ number: Int) -> Setup? {
    parts.withLock { $0.indices.contains(number) ? $0[number].setup : nil }
  }

  /// Adds a part, unless its line has added it already.
  static func add(_ part: @escaping Setup, at site: CodeLocation) -> Bool {
    parts.withLock { parts in
      if parts.contains(where: { $0.site == site }) { return false }
      parts.append((site, part))
      return true
    }
  }
}

extension ContextFrame {
  /// The runs of start-up into this sandbox's view, if any was requested.
  fileprivate var startup: StartupRun? { extra(StartupRun.self) }

  /// Makes start-up run into this sandbox's view, before the next resolution.
  func rearmStartup() {
    let startup = extra(StartupRun.self) { StartupRun(isPending: false) }
    startup.startAgain()
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
    let site = CodeLocation(fileID, filePath, line, column)
    if StartupParts.add(body, at: site) { Startup.goOn() }
  }
}
