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
