#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// An action of work that belongs to no test: its place, its count, and the scopes that were open.
struct UnscopedNote {
  struct Action: Hashable {
    let link: ChainLink
    let done: String
  }

  let place: Action
  /// The headline, which names the action and its outcome.
  let headline: (_ open: String) -> String
  let facts: [(String, String)]
  /// Whether the work can be attributed to the test that it is reported to.
  let isAttributed: Bool
  /// Whether all candidate tests are to fail because of such work.
  let failsForAll: Bool
  let treatment: Strictness
  /// The places of the scopes that were open, unless the reporting one is enough.
  let open: [String]
  var count = 1

  static let fixes = [
    "Carry the context there: `let context = ResolutionContext.current`, then "
      + "`context.run { … }`.",
    "Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.",
  ]

  func issue(_ severity: IssueSeverity, in scope: ContextFrame) -> DiagnosticIssue {
    var facts = facts
    if count > 1 { facts.append(("times:", "\(count)")) }
    facts += (open.isEmpty ? [scope.opener.place] : open).map { ("open:", $0) }
    return DiagnosticIssue(
      text: TypeNames.telling(apart: [place.link.key]) {
        Diagnosis(
          headline: headline(isAttributed ? "this sandbox was" : "several sandboxes were"),
          facts: facts, fixes: Self.fixes
        ).text
      }, severity: severity, location: place.link.location)
  }
}
#endif
