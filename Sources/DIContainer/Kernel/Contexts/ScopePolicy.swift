// What a test asks of a scope beside its doubles: how strict it is about live services, what
// stands in where no double is registered, and what happens to work that escapes it.

/// How something that a test may not want is treated.
package enum Treatment: Sendable, Hashable {
  case allow
  case warn
  case fail

  package var severity: DiagnosticIssue.Severity? {
    switch self {
    case .allow: nil
    case .warn: .warning
    case .fail: .error
    }
  }
}

/// How requests that belong to no test are treated while a sandbox is open.
package enum UnscopedWork: Sendable, Hashable {
  /// They get what production set up, and are reported or not.
  case treat(Treatment)
  /// The innermost scope answers them, if all that are open lie in one another.
  case adopt
}

/// A policy as a frame has it: most have none, and handing none on should cost nothing.
package final class SharedPolicy: Sendable {
  let policy: ScopePolicy

  package init(_ policy: ScopePolicy) {
    if policy.unscopedWork == .adopt { ContextFrame.listAllScopes() }
    self.policy = policy
  }
}

/// What a frame asks for; frames inside inherit it and add to it.
package struct ScopePolicy: Sendable {
  /// Whether a live service may be resolved.
  package var strictness: Treatment?
  /// Live services that may be resolved all the same.
  package var mayBeLive: [@Sendable (LiveService) -> Bool] = []
  /// Asked for a double, innermost first, where none is registered.
  package var fallbacks: [Fallback] = []
  /// How requests of work that outlives the scope are treated.
  package var lateWork: Treatment?
  /// How requests that belong to no test are treated while the scope is open.
  package var unscopedWork: UnscopedWork?
  /// Hears of instances that should be gone when the scope has ended.
  package var leakWatch: InstanceLog?
  /// Hears of each live service that is handed out, and where it was asked for.
  package var hearsLive: (@Sendable (LiveService, CodeLocation) -> Void)?

  package init() {}

  /// A live service, as exceptions see it.
  package struct LiveService: Sendable {
    package let key: ServiceKey
    package let owner: ContainerCore
    package let registeredAt: CodeLocation
    package let assembly: ObjectIdentifier?
  }

  /// Makes doubles for what is not registered as one, and keeps one for each service.
  package final class Fallback: Sendable {
    private let container: (@Sendable () -> Resolver)?
    private let make: @Sendable (ServiceKey) -> Any?
    private let made = Lock<[ServiceKey: Any]>([:])

    /// `container`: the one whose services it is for; nil for those of all.
    package init(
      in container: (@Sendable () -> Resolver)? = nil,
      _ make: @escaping @Sendable (ServiceKey) -> Any?
    ) {
      (self.container, self.make) = (container, make)
    }

    private struct Question: Hashable, Sendable {
      let fallback: ObjectIdentifier
      let key: ServiceKey
    }

    /// What fallbacks are asked for right now: a fallback that asks for the very service, to wrap
    /// it, gets what would answer without the fallback.
    @TaskLocal private static var underWay: Set<Question> = []

    /// Puts the double for a service into memory, and answers whether it was made just now; nil if
    /// there is none of its type.
    func copyDouble(
      _ key: ServiceKey, _ core: ContainerCore, to out: UnsafeMutableRawPointer
    ) -> Bool? {
      // What finds the container may ask for services in turn.
      if let container, asking(key, { container().core === core }) != true { return nil }
      func copy<Service>(_ type: Service.Type) -> Bool? {
        guard let (double, isNew): (Service, Bool) = double(key) else { return nil }
        out.assumingMemoryBound(to: Service.self).initialize(to: double)
        return isNew
      }
      return copy(key.type)
    }

    /// Runs the user's code about a service; nil if that is what asks for the service now.
    private func asking<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result? {
      let question = Question(fallback: ObjectIdentifier(self), key: key)
      guard !Self.underWay.contains(question) else { return nil }
      return Self.$underWay.withValue(Self.underWay.union([question]), operation: body)
    }

    private func double<Service>(_ key: ServiceKey) -> (Service, isNew: Bool)? {
      if let double = made.withLock({ $0[key] }) {
        return (double as? Service).map { ($0, false) }
      }
      // First that there is an answer: nil is an optional service, too.
      guard let answer = asking(key, { make(key) }) ?? nil, let double = answer as? Service
      else { return nil }
      return made.withLock { made in
        if let first = made[key] as? Service { return (first, false) }
        made[key] = double
        return (double, true)
      }
    }
  }
}
