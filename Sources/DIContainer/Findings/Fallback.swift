extension FramePolicy {
  /// A source of doubles for services without one, which keeps one double per service.
  package final class Fallback: Sendable {
    private let container: (@Sendable () -> Resolver)?
    private let make: @Sendable (ServiceKey) -> Any?
    private let answers = Lock<[ServiceKey: Answer]>([:])

    /// `container`: the container whose services it is for; nil for all containers.
    package init(
      in container: (@Sendable () -> Resolver)? = nil,
      _ make: @escaping @Sendable (ServiceKey) -> Any?
    ) {
      (self.container, self.make) = (container, make)
    }

    /// A closure that makes a double on the main actor, returned instead of the double.
    package struct OnMain: Sendable {
      fileprivate let make: @MainActor @Sendable () -> Any

      package init<Service>(_ make: @escaping @MainActor @Sendable () -> Service) {
        self.make = { make() }
      }
    }

    /// The double for a service, and whether it was returned already.
    private struct Answer {
      var double: Any?
      var onMain: OnMain?
      var isNew = true
    }

    /// The outcome of a request to a fallback.
    enum Outcome {
      case none
      case double(isNew: Bool)
      /// There is a double that belongs to the main actor, and the caller runs elsewhere.
      case onMainOnly
      /// The double that was made on the main actor has another type, and is not used.
      case unfit(Any.Type)
    }

    private struct Question: Hashable, Sendable {
      let fallback: ObjectIdentifier
      let key: ServiceKey
    }

    /// The services that fallbacks are currently making doubles for.
    ///
    /// A fallback that resolves that very service, to wrap it, gets the result without the
    /// fallback.
    @TaskLocal private static var underWay: Set<Question> = []

    /// Copies the double for a service into memory, if there is one of its type.
    func copyDouble(
      _ key: ServiceKey, _ core: ContainerCore, to out: UnsafeMutableRawPointer
    ) -> Outcome {
      func copy<Service>(_ type: Service.Type) -> Outcome {
        guard var answer = answer(key, core, type) else { return .none }
        if let onMain = answer.onMain {
          guard MainActor.shared.isCurrent else { return .onMainOnly }
          if answer.double == nil {
            guard let double = asking(key, { MainActor.assumingIsolated(onMain.make) }) else {
              return .none
            }
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

    /// Releases the doubles after the end of the test.
    package func forgetDoubles() {
      let old = answers.withLock { answers in
        defer { answers = [:] }
        return answers
      }
      withExtendedLifetime(old) {}
    }

    /// Whether the double for a service belongs to the main actor; nil if there is none.
    func answersOnMain(_ key: ServiceKey, _ core: ContainerCore) -> Bool? {
      func answersOnMain<Service>(_ type: Service.Type) -> Bool? {
        answer(key, core, type).map { $0.onMain != nil }
      }
      return answersOnMain(key.type)
    }

    /// Runs user code for a service; returns nil if that code made the present request.
    private func asking<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result? {
      let question = Question(fallback: ObjectIdentifier(self), key: key)
      guard !Self.underWay.contains(question) else { return nil }
      return Self.$underWay.withValue(Self.underWay.union([question]), operation: body)
    }

    private func answer<Service>(
      _ key: ServiceKey, _ core: ContainerCore, _ type: Service.Type
    ) -> Answer? {
      // The code that finds the container may resolve services in turn.
      if let container, asking(key, { container().core === core }) != true { return nil }
      if let answer = answers.withLock({ $0[key] }) { return answer }
      // The outer optional is unwrapped first, because nil is a valid optional service too.
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
