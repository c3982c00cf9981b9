extension ScopePolicy {
  /// Makes doubles for what is not registered as one, and keeps one for each service.
  package final class Fallback: Sendable {
    private let container: (@Sendable () -> Resolver)?
    private let make: @Sendable (ServiceKey) -> Any?
    private let answers = Lock<[ServiceKey: Answer]>([:])

    /// `container`: the one whose services it is for; nil for those of all.
    package init(
      in container: (@Sendable () -> Resolver)? = nil,
      _ make: @escaping @Sendable (ServiceKey) -> Any?
    ) {
      (self.container, self.make) = (container, make)
    }

    /// The closure that makes a double on the main actor, in place of the double.
    package struct OnMain: Sendable {
      fileprivate let make: @Sendable () -> Any

      package init<Service>(_ make: @escaping @MainActor @Sendable () -> Service) {
        // Being isolated is no part of how a function is called; `copyDouble` looks where it is.
        let make = unsafeBitCast(make, to: (@Sendable () -> Service).self)
        self.make = { make() }
      }
    }

    /// The answer for a service, and whether anybody got it.
    private struct Answer {
      var double: Any?
      var onMain: OnMain?
      var isNew = true
    }

    /// How a request is answered.
    enum Outcome {
      case none
      case double(isNew: Bool)
      /// There is a double, and the caller is not on the main actor, to which it belongs.
      case onMainOnly
      /// What was made on the main actor is of another type, so that it is not used.
      case unfit(Any.Type)
    }

    private struct Question: Hashable, Sendable {
      let fallback: ObjectIdentifier
      let key: ServiceKey
    }

    /// What fallbacks are asked for right now: a fallback that asks for the very service, to wrap
    /// it, gets what would answer without the fallback.
    @TaskLocal private static var underWay: Set<Question> = []

    /// Puts the double for a service into memory, if there is one of its type.
    func copyDouble(
      _ key: ServiceKey, _ core: ContainerCore, to out: UnsafeMutableRawPointer
    ) -> Outcome {
      func copy<Service>(_ type: Service.Type) -> Outcome {
        guard var answer = answer(key, core, type) else { return .none }
        if let onMain = answer.onMain {
          guard MainActor.shared.isCurrent else { return .onMainOnly }
          if answer.double == nil {
            guard let double = asking(key, onMain.make) else { return .none }
            guard double is Service else { return .unfit(Swift.type(of: double)) }
            answer.double = double
            answers.withLock { $0[key] = answer }
          }
        }
        guard let double = answer.double as? Service else { return .none }
        out.assumingMemoryBound(to: Service.self).initialize(to: double)
        let isNew = answers.withLock { answers in
          defer { answers[key]?.isNew = false }
          return answers[key]?.isNew ?? false
        }
        return .double(isNew: isNew)
      }
      return copy(key.type)
    }

    /// Forgets the doubles: the test is over.
    package func forgetDoubles() {
      let old = answers.withLock { answers in
        defer { answers = [:] }
        return answers
      }
      withExtendedLifetime(old) {}
    }

    /// Whether there is a double that belongs to the main actor.
    func answersOnMain(_ key: ServiceKey, _ core: ContainerCore) -> Bool? {
      func answersOnMain<Service>(_ type: Service.Type) -> Bool? {
        answer(key, core, type).map { $0.onMain != nil }
      }
      return answersOnMain(key.type)
    }

    /// Runs the user's code about a service; nil if that is what asks for the service now.
    private func asking<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result? {
      let question = Question(fallback: ObjectIdentifier(self), key: key)
      guard !Self.underWay.contains(question) else { return nil }
      return Self.$underWay.withValue(Self.underWay.union([question]), operation: body)
    }

    private func answer<Service>(
      _ key: ServiceKey, _ core: ContainerCore, _ type: Service.Type
    ) -> Answer? {
      // The code that finds the container may ask for services in turn.
      if let container, asking(key, { container().core === core }) != true { return nil }
      if let answer = answers.withLock({ $0[key] }) { return answer }
      // First that there is an answer: nil is an optional service, too.
      guard let made = asking(key, { make(key) }) ?? nil else { return nil }
      let answer: Answer
      if let onMain = made as? OnMain {
        answer = Answer(onMain: onMain)
      } else if made is Service {
        answer = Answer(double: made)
      } else {
        return nil
      }
      return answers.withLock { answers in
        let first = answers[key] ?? answer
        answers[key] = first
        return first
      }
    }
  }
}
