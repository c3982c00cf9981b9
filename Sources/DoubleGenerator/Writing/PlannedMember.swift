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
  var typeArguments: [String] { [arguments.text, result.text, failureType] }
  private var failureType: String {
    switch failure {
    case .never, .rethrown: "Never"
    case .any: "any Error"
    case .typed(let type): type.text
    }
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
