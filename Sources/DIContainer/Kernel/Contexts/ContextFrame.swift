internal import DIPrimitives

// The task-scoped context. One kind of frame serves sandboxes, layers, scoped roots, recorders and
// cache resets alike: a frame is bound to the task, links to the enclosing one, and lists what it
// replaces. A resolution sees the containers through the sandboxes, and the layers on top of the
// root (Lookup.swift). Every frame that is alive counts in `di_attention`, but for that of set-up
// code and those of dry runs that are over: resolutions read it first, and skip all of this without
// frames.

/// The purpose of a frame.
package enum FrameKind: Sendable {
  /// Production setup code: it resolves as without a frame, and its registrations are base state.
  case base
  case sandbox
  case root
  case layer
  /// Caches, a recorder, a policy or nothing: no container changes.
  case plain
}

/// A frame: replacements for the process's state, for the task that it is bound to.
package final class ContextFrame: Sendable {
  /// The caches that a frame brings.
  package enum Caches: Sendable {
    case none
    case all
    case only([ObjectIdentifier])

    func include(_ scope: Scope) -> Bool {
      switch self {
      case .none: false
      case .all: true
      case .only(let scopes): scopes.contains(ObjectIdentifier(scope))
      }
    }
  }

  /// The frame that is bound to the task.
  @TaskLocal package static var bound: ContextFrame?

  /// A frame outside every scope, as setup code has.
  package static let base = ContextFrame(.base, parent: nil)

  /// A serial number; a later frame has a larger one.
  package let number = SerialNumber.next()
  package let kind: FrameKind
  package let parent: ContextFrame?
  let outerSandbox: ContextFrame?
  let outerLayer: ContextFrame?
  /// The container that a layer or a scoped root installs.
  package let installed: Resolver?
  package let caches: Caches
  /// Whether it is a layer that `push` added to a scope; a pushed sandbox is a scope of its own.
  package let isPushedLayer: Bool
  /// The opener, for reports: a test's name, or the function that was called.
  package let opener: Opener
  package let recorder: (any EventRecorder)?
  /// The recorders that listen here, innermost first.
  package let recorders: [any EventRecorder]
  package let policy: (any ScopePolicy)?
  /// The policy in force, with what enclosing frames set; nil if none sets any.
  package let policies: (any ScopePolicy)?
  /// The dry run that the frame belongs to, which is invisible outside.
  package let dryRun: (any TrialRun)?
  private let state: Lock<Contents>

  /// The origin of a frame, and the destination of its findings.
  package struct Opener: Sendable {
    package let name: String
    package let location: CodeLocation
    package let report: IssueHandler?
    /// Whether the name is a test's, rather than that of the function that was called.
    package let isTest: Bool

    package init(name: String, location: CodeLocation, report: IssueHandler?, isTest: Bool) {
      (self.name, self.location) = (name, location)
      (self.report, self.isTest) = (report, isTest)
    }

    /// The test and, if known, the place that opened the scope.
    package var place: String { location.line == 0 ? name : "\(name), at \(location)" }
  }

  /// The parts of a frame's contents that most frames lack, so that requests need not lock those.
  struct Parts: OptionSet {
    let rawValue: UInt
    static let settings = Parts(rawValue: 1)
    static let pushedTop = Parts(rawValue: 2)
    static let views = Parts(rawValue: 4)
    static let nested = Parts(rawValue: 8)
    static let viewSettings = Parts(rawValue: 16)
    static let keepers = Parts(rawValue: 32)
    static let end = Parts(rawValue: 64)
    static let live = Parts(rawValue: 128)
    static let values = Parts(rawValue: 256)
  }

  /// The part of a frame that changes while it is open.
  struct Contents {
    var settings = Settings()
    /// The innermost layer or sandbox that was pushed on the frame.
    var pushedTop: ContextFrame?
    /// A sandbox's views of containers, each of which holds its container: few, so a list.
    var views: [View] = []
    /// The frame's own keepers, in place of those outside.
    var keepers = Keepers()
    /// The keepers that the frame is about to forget at its end.
    ///
    /// What one releases may trap, which parks the thread of a dry run: the next goes on from here.
    var releasing: [Keeper] = []
    var hasEnded = false
    /// Whether requests look for the frame: whether it counts in `di_attention`.
    var isCounted = false

    /// The first requests that live services were found for in the scope.
    var live: [LiveKey: LiveRequest] = [:]
    /// The values that other modules and dialects keep with the frame, by type; see `extra`.
    var values: [ObjectIdentifier: any AnyObject & Sendable] = [:]

    fileprivate var parts: Parts {
      var parts: Parts = []
      if !settings.isEmpty { parts.insert(.settings) }
      if pushedTop != nil { parts.insert(.pushedTop) }
      for index in views.indices {
        parts.insert(.views)
        if views[index].children != nil { parts.insert(.nested) }
        if views[index].settings != nil { parts.insert(.viewSettings) }
      }
      if !keepers.isEmpty || !releasing.isEmpty { parts.insert(.keepers) }
      if hasEnded { parts.insert(.end) }
      if !live.isEmpty { parts.insert(.live) }
      if !values.isEmpty { parts.insert(.values) }
      return parts
    }
  }

  package init(
    _ kind: FrameKind, parent: ContextFrame?, installed: Resolver? = nil, caches: Caches = .none,
    recorder: (any EventRecorder)? = nil, policy: (any ScopePolicy)? = nil,
    isPushedLayer: Bool = false,
    name: String = "", isTest: Bool = false, location: CodeLocation = CodeLocation(),
    report: IssueHandler? = nil, dryRun: (any TrialRun)? = nil
  ) {
    self.kind = kind
    self.parent = parent
    outerSandbox = parent?.sandbox
    outerLayer = parent?.layer
    self.installed = installed
    self.caches = caches
    self.recorder = recorder
    recorders = Self.recorders(recorder, dryRun, parent)
    self.policy = policy
    let outer = parent?.policies
    policies = policy.map { policy in outer.map { policy.extending($0) } ?? policy } ?? outer
    self.dryRun = dryRun ?? parent?.dryRun
    self.isPushedLayer = isPushedLayer
    opener = Opener(name: name, location: location, report: report, isTest: isTest)
    let isCounted = kind != .base
    let settings = Settings(root: kind == .root ? installed : nil)
    state = Lock(Contents(settings: settings, isCounted: isCounted))
    if kind == .root { state.word = Parts.settings.rawValue }
    if isCounted { di_attention_add(1) }
    recorder?.didOpen(number)
    if kind == .sandbox { list() }
  }

  private static func recorders(
    _ recorder: (any EventRecorder)?, _ dryRun: (any TrialRun)?, _ parent: ContextFrame?
  ) -> [any EventRecorder] {
    // A dry run is invisible outside.
    if let dryRun { return [dryRun] }
    let outside = parent?.recorders ?? []
    // A recorder that is already active further out must not record everything twice.
    guard let recorder, !outside.contains(where: { $0 === recorder }) else { return outside }
    return [recorder] + outside
  }

  /// The parts that the frame has now, read without its lock.
  func has(_ parts: Parts) -> Bool { state.word & parts.rawValue != 0 }

  /// Runs kernel code that reads the frame's state, under its lock.
  func withState<Result>(_ body: (borrowing Contents) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Runs kernel code that changes the frame's state, under its lock.
  func change<Result>(_ body: (inout Contents) -> Result) -> Result {
    state.withLock { contents in
      defer { state.word = contents.parts.rawValue }
      return body(&contents)
    }
  }

  /// Makes requests ignore the frame from now on, although it may still be held.
  func stopCounting() {
    if state.withLock({ exchange(&$0.isCounted, with: false) }) { di_attention_add(-1) }
  }

  deinit {
    for view in views where view.isNoted { view.core.dropWhenGone(number) }
    stopCounting()
  }
}
