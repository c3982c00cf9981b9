/// A stub as the double declares it.
struct PlannedStub {
  var name: String
  var isAsync = false
  var arguments: TypeSyntax = .void
  var result: TypeSyntax = .void
  var failure = TypeSyntax.Failure.never
  /// The requirement's name in diagnoses.
  var requirement: String
  /// Whether the stub is `Sendable`.
  var isSendable = true

  var type: String { isAsync ? "AsyncStub" : "Stub" }
  func typeArguments(_ spelling: Spelling) -> [String] {
    let failure =
      switch failure {
      case .never, .rethrown: spelling.standard("Never")
      case .any: "any \(spelling.standard("Error"))"
      case .typed(let type): type.text
      }
    return [spelling.finished(arguments).text, spelling.finished(result).text, failure]
  }
}

/// A member of a double, with the stubs that it calls.
struct PlannedMember {
  var requirement: Requirement
  var stubs: [PlannedStub] = []
  /// The statements of a function or an initializer.
  var body: [String] = []
  var setter: [String]?
  /// Whether it must not stay with its caller, for it passes what is not Sendable to a closure that
  /// does not.
  var isConcurrent = false
  /// Sentences on what the member does not do.
  var remarks: [String] = []
}

/// A requirement that has to be written by hand.
struct ByHand: Error {
  var requirement: Requirement
  var reason: String
}
