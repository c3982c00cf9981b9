extension FramePolicy {
  /// A source of doubles for services without one, which keeps one double per service.
  package final class Fallback: Sendable {
    private let container: (@Sendable () -> Resolver)?
    private let make: @Sendable (ServiceKey) -> Any?
    private let supplies = Lock<[ServiceKey: Supply]>([:])

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
    private struct Supply {
      var double: Any?
      var onMain: OnMain?
      /// The type of the double that was made on the main actor, if it is another one.
      var unfit: Any.Type?
      var isNew = true
    }

    /// The outcome of a request to a fallback.
    enum Copy {
      case none
      case double(isNew: Bool)
      /// There is a double that belongs to the main actor, and the caller runs elsewhere.
      case onMainOnly
      /// The double that was made on the main actor has another type, and is not used.
      case unfit(Any.Type)
    }

    private struct Making: Hashable, Sendable {
      let fallback: ObjectIdentifier
      let key: ServiceKey
    }

    /// The services that fallbacks are currently making doubles for.
    ///
    /// A fallback that resolves that very service, to wrap it, gets the result without the
    /// fallback.
    @TaskLocal private static var underWay: Set<Making> = []

    /// Copies the double for a service into memory, if there is one of its type.
    func copyDouble(
      _ key: ServiceKey, _ core: ContainerCore, to out: UnsafeMutableRawPointer
    ) -> Copy {
      func copy<Service>(_ type: Service.Type) -> Copy {
        guard let supply = supply(key, core, type) else { return .none }
        if let unfit = supply.unfit { return .unfit(unfit) }
        if supply.onMain != nil, !MainActor.shared.isCurrent { return .onMainOnly }
        guard let double = supply.double as? Service else { return .none }
        out.assumingMemoryBound(to: Service.self).initialize(to: double)
        let isNew = supplies.withLock { supplies in
          defer { supplies[key]?.isNew = false }
          return supplies[key]?.isNew ?? false
        }
        return .double(isNew: isNew)
      }
      return copy(key.type)
    }

    /// Releases the doubles after the end of the test.
    package func forgetDoubles() {
      var old: [ServiceKey: Supply] = [:]
      // Released under no lock.
      supplies.withLock { swap(&$0, &old) }
    }

    /// Whether the double for a service belongs to the main actor; nil if there is none.
    ///
    /// On the main actor, the double is made, so that one of another type does not count.
    func needsMain(_ key: ServiceKey, _ core: ContainerCore) -> Bool? {
      func needsMain<Service>(_ type: Service.Type) -> Bool? {
        guard !isMaking(key), let supply = supply(key, core, type), supply.unfit == nil
        else { return nil }
        return supply.onMain != nil
      }
      return needsMain(key.type)
    }

    /// Runs user code for a service; returns nil if that code made the present request.
    private func making<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result? {
      if isMaking(key) { return nil }
      let request = Making(fallback: ObjectIdentifier(self), key: key)
      return Self.$underWay.withValue(Self.underWay.union([request]), operation: body)
    }

    private func isMaking(_ key: ServiceKey) -> Bool {
      Self.underWay.contains(Making(fallback: ObjectIdentifier(self), key: key))
    }

    /// Returns the double for a service, made if that is possible here; nil if there is none.
    private func supply<Service>(
      _ key: ServiceKey, _ core: ContainerCore, _ type: Service.Type
    ) -> Supply? {
      guard var supply = given(key, core, type) else { return nil }
      guard let onMain = supply.onMain, supply.double == nil, supply.unfit == nil,
        MainActor.shared.isCurrent
      else { return supply }
      guard let double = making(key, { MainActor.assumingIsolated(onMain.make) }) else {
        return nil
      }
      if double is Service { supply.double = double } else { supply.unfit = Swift.type(of: double) }
      supplies.withLock { $0[key] = supply }
      return supply
    }

    /// Returns what the closure of the fallback returns for a service; nil if that is no double.
    private func given<Service>(
      _ key: ServiceKey, _ core: ContainerCore, _ type: Service.Type
    ) -> Supply? {
      // The code that finds the container may resolve services in turn.
      if let container, making(key, { container().core === core }) != true { return nil }
      if let supply = supplies.withLock({ $0[key] }) { return supply }
      // The outer optional is unwrapped first, because nil is a valid optional service too.
      guard let made = making(key, { make(key) }) ?? nil else { return nil }
      let supply: Supply
      if let onMain = made as? OnMain {
        supply = Supply(onMain: onMain)
      } else if made is Service {
        supply = Supply(double: made)
      } else {
        return nil
      }
      return supplies.withLock { supplies in
        let first = supplies[key] ?? supply
        supplies[key] = first
        return first
      }
    }
  }
}
