internal import DIPrimitives

// The frame of the calling code, and those that enclose it.
//
// - `bound` is the one that is bound to the task; `current` the one that requests use: the
//   innermost that was pushed on it.
// - `around` encloses a scope that is opened now.
// - `processTop` is the innermost that was pushed outside every scope.
// - `Tests.delegate` names the one that serves work which left its task.

extension ContextFrame {
  /// Whether requests have to look for frames.
  package static var needsAttention: Bool { di_attention_needed() != 0 }

  /// The frame that the calling task resolves in; nil in production, and in production setup.
  package static var current: ContextFrame? { current(ofTask: bound) }

  /// Returns `current`, given the frame of the calling task.
  static func current(ofTask frame: @autoclosure () -> ContextFrame?) -> ContextFrame? {
    if di_attention_needed() == 0 { return nil }
    guard let frame = frame() else {
      return mayServeUnboundWork ? Tests.delegate?.unboundFrame : nil
    }
    return frame.serving
  }

  /// Whether live services need a check before they are returned.
  var isGuarded: Bool { policies != nil || endedFrame != nil }

  /// Returns the frame that a request is resolved in, and whether live services need a check there.
  ///
  /// A missing or ended frame is noted. `bound`: the frame of the calling task.
  static func frameNoting(
    _ request: Request, container: Resolver, boundTo bound: ContextFrame? = bound
  ) -> (frame: ContextFrame?, isGuarded: Bool) {
    guard let bound else {
      let frame = Tests.delegate?.frame(forUnbound: request, container: container)
      return (frame, frame?.isGuarded ?? false)
    }
    guard let frame = bound.serving else { return (nil, false) }
    // Asked once: who is told that the frame has ended is refused, too.
    let hasEnded = frame.endedFrame != nil
    if hasEnded {
      Tests.delegate?.note(.late(request, container: container, in: frame))
    }
    return (frame, hasEnded || frame.policies != nil)
  }

  /// The enclosing frame for a scope that is opened now.
  ///
  /// The frame that may serve work which left its task does not count: two tasks that open scopes
  /// concurrently would nest them, in an order that varies.
  package static var around: ContextFrame? {
    if di_attention_needed() == 0 { return nil }
    return bound == nil ? processTop?.top : current
  }

  /// The name of the test that opened the frame bound to the task, if a test did.
  ///
  /// Reading it from the test framework takes 250 ns in a test.
  package static var boundTest: String? {
    guard needsAttention, let opener = bound?.opener, opener.isTest else { return nil }
    return opener.name
  }

  /// Whether production setup code is running, whose registrations are base state.
  package static var isSettingUp: Bool { bound?.kind == .base }

  /// The frame of the code that set-up code runs for, which hears of what that requests.
  @TaskLocal static var settingUpFor: Weak<ContextFrame>?

  /// Runs production set-up code, whose registrations are base state, outside every scope.
  package static func settingUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isSettingUp { return try body() }
    return try $settingUpFor.withValue(current.map { Weak(value: $0) }) {
      try $bound.withValue(base) { try body() }
    }
  }

  /// The sandbox to which changes belong now; nil if they are base state.
  static var writableSandbox: ContextFrame? { current?.sandbox }

  /// The frame that requests are resolved in where this one is bound; nil in production setup.
  var serving: ContextFrame? { kind == .base ? nil : top }

  private var top: ContextFrame { pushedTop ?? self }

  /// The frame to bind for code that runs in this one, and not in what is pushed on it.
  var withoutPushed: ContextFrame { ContextFrame(.plain, parent: self) }

  /// The frame and all enclosing ones, innermost first.
  package var chain: Frames { Frames(innermost: self, areSandboxes: false) }

  /// The innermost sandbox: this frame or an enclosing one.
  package var sandbox: ContextFrame? { kind == .sandbox ? self : outerSandbox }

  /// The sandboxes in the chain, innermost first.
  package var sandboxes: Frames { Frames(innermost: sandbox, areSandboxes: true) }

  /// Frames that enclose each other, innermost first.
  package struct Frames: Sequence, IteratorProtocol {
    fileprivate var innermost: ContextFrame?
    fileprivate let areSandboxes: Bool

    package mutating func next() -> ContextFrame? {
      guard let frame = innermost else { return nil }
      innermost = areSandboxes ? frame.outerSandbox : frame.parent
      return frame
    }
  }

  /// The innermost layer: this frame or an enclosing one.
  package var layer: ContextFrame? { kind == .layer ? self : outerLayer }

  /// The innermost sandbox, layer or scoped root: this frame or an enclosing one.
  package var containerFrame: ContextFrame? {
    kind == .sandbox || kind == .layer || kind == .root ? self : parent?.containerFrame
  }

  /// Whether it is a layer that was pushed outside every scope.
  var isOnProcess: Bool { isPushedLayer && parent?.isOnProcess ?? true }

  /// Returns the innermost frame that has caches of its own for a scope.
  func cacheFrame(for scope: Scope) -> ContextFrame? {
    caches.include(scope) ? self : parent?.cacheFrame(for: scope)
  }

  /// The frame whose root an assignment changes; pushed layers do not count.
  static var rootFrame: ContextFrame? {
    current?.chain.first {
      $0.kind == .sandbox || $0.kind == .root || $0.kind == .layer && !$0.isPushedLayer
    }
  }

  /// Whether it is the given frame or nested in it.
  package func isInside(_ other: ContextFrame) -> Bool {
    self === other || parent?.isInside(other) ?? false
  }

  /// Whether it, or an enclosing frame, installs a container as a layer or a scoped root.
  func installs(_ core: ContainerCore) -> Bool {
    installed?.core === core || parent?.installs(core) ?? false
  }

  package func isLayer(_ core: ContainerCore) -> Bool {
    guard let layer else { return false }
    return layer.installed?.core === core || layer.parent?.isLayer(core) ?? false
  }
}

// MARK: - Reports to tests

extension ContextFrame {
  /// Reports an issue to the test that the scope belongs to, if it does to one.
  package func report(_ issue: DiagnosticIssue) {
    chain.first { $0.opener.report != nil }?.opener.report?(issue)
  }
}

// MARK: - The frame of a lazy wrapper

/// The frame that a lazy wrapper was created in.
///
/// It is remembered weakly: a scope ends although the wrapper's owner lives on.
@usableFromInline
package final class LazyOrigin: Sendable {
  private let innermost: Weak<ContextFrame>
  /// The innermost sandbox, layer or scoped root.
  private let opened: Weak<ContextFrame>
  private let kind: FrameKind
  /// The opener of that, without the means to report to it.
  private let opener: ContextFrame.Opener

  /// The origin, which has ended, of the lazy wrapper that is being resolved.
  ///
  /// Reports and diagnoses name it.
  @TaskLocal package static var ended: LazyOrigin?

  init(_ frame: ContextFrame) {
    let opened = frame.containerFrame ?? frame
    innermost = Weak(value: frame)
    self.opened = Weak(value: opened)
    kind = opened.kind
    let opener = opened.opener
    self.opener = ContextFrame.Opener(
      name: opener.name, location: opener.location, report: nil, isTest: opener.isTest)
  }

  /// The frame for uses without a context; nil once the scope has ended.
  var frame: ContextFrame? {
    guard let opened = opened.value, !opened.hasEnded, opened.endedFrame == nil else { return nil }
    return innermost.value ?? opened
  }

  /// Whether instances of the wrapper's owner belong to a scope: that of its creation, or one
  /// inside.
  func encloses(_ used: ContextFrame) -> Bool {
    kind == .plain || opened.value.map(used.isInside) ?? false
  }

  /// The place of the scope, for reports.
  package var place: String { opener.place }

  private var noun: String {
    switch kind {
    case .layer: "layer"
    case .root: "scoped root"
    default: "sandbox"
    }
  }

  /// Returns an error with a note of the origin, if that has ended.
  static func noted(in error: ResolutionError) -> ResolutionError {
    guard let ended else { return error }
    let note = "the lazy property was made in a \(ended.noun) that has ended: \(ended.place)"
    let fix = "Make the property's owner in the scope that uses it."
    return error.adding(error.reason == .notRegistered ? [.fix(fix)] : [], after: [.note(note)])
  }
}
