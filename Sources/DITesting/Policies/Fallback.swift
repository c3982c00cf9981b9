#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A source of doubles for services without one, which keeps one double per service.
final class Fallback: Sendable {
  enum Supply {
    /// A double of the requested type.
    case double(Any, isOfMain: Bool)
    /// A double that belongs to the main actor, and is made when it is requested there.
    case onMain(MainActorDouble)
    /// The double that was made on the main actor has another type, and is not used.
    case unfit(Any.Type)
  }

  private struct Supplies {
    var supplies: [ServiceKey: Supply] = [:]
    /// The services whose double was returned.
    var returned: Set<ServiceKey> = []
  }

  private struct Making: Hashable, Sendable {
    let fallback: ObjectIdentifier
    let key: ServiceKey
  }

  /// Its name in the report that it made no double; nil if that is none.
  let name: String?
  private let container: (@Sendable () -> Resolver)?
  private let note: (@Sendable (RequestOrigin) -> Void)?
  private let make: @Sendable (ServiceKey) -> Any?
  private let state = Lock(Supplies())

  /// Creates a source of doubles.
  ///
  /// - Parameters:
  ///   - name: Its name in the report that it made no double; nil if that is none.
  ///   - container: The container whose services it is for; nil for all containers.
  ///   - note: Receives each request that gets a double.
  ///   - make: Returns a double, a `MainActorDouble`, or nil.
  init(
    called name: String? = nil, in container: (@Sendable () -> Resolver)? = nil,
    noting note: (@Sendable (RequestOrigin) -> Void)? = nil,
    _ make: @escaping @Sendable (ServiceKey) -> Any?
  ) {
    (self.name, self.container, self.note, self.make) = (name, container, note, make)
  }

  /// Whether it made a double.
  var wasUsed: Bool { state.withLock { !$0.supplies.isEmpty } }

  /// Returns what the source supplies for a container's service, made as far as the caller's actor
  /// allows; nil if there is none.
  func supply(for key: ServiceKey, of core: ContainerCore) -> Supply? {
    if isMaking(key) { return nil }
    // The code that finds the container may resolve services in turn.
    if let container, !making(key, { container().core === core }) { return nil }
    guard let supply = state.withLock({ $0.supplies[key] }) ?? given(key) else { return nil }
    guard case .onMain(let double) = supply, MainActor.isCurrent else { return supply }
    let made = making(key) { MainActor.assumingIsolated(double.make) }
    let own: Supply =
      Self.isInstance(made, of: key.type)
      ? .double(made, isOfMain: true) : .unfit(type(of: made))
    // The closure that it replaces is released under no lock.
    let replaced = state.withLock { $0.supplies.updateValue(own, forKey: key) }
    return withExtendedLifetime((supply, replaced)) { own }
  }

  /// Notes that a request gets its double; returns whether it is the first time for the service.
  func noteReturned(_ request: Request) -> Bool {
    if let note {
      note(
        RequestOrigin(location: request.location, requester: Chain.innermostKey))
    }
    return state.withLock { $0.returned.insert(request.key).inserted }
  }

  /// Returns what the closure returns for a service; nil if that is no double.
  private func given(_ key: ServiceKey) -> Supply? {
    guard let made = making(key, { make(key) }) else { return nil }
    let new: Supply
    if let double = made as? MainActorDouble {
      new = .onMain(double)
    } else if Self.isInstance(made, of: key.type) {
      new = .double(made, isOfMain: false)
    } else {
      return nil
    }
    return state.withLock { state in
      let first = state.supplies[key] ?? new
      state.supplies[key] = first
      return first
    }
  }

  /// Whether a value is of a type here: a conformance may belong to an actor.
  static func isInstance(_ value: Any, of type: Any.Type) -> Bool {
    func isInstance<Service>(of type: Service.Type) -> Bool { value is Service }
    return isInstance(of: type)
  }

  // MARK: Doubles that are being made

  /// The services that fallbacks are currently making doubles for.
  ///
  /// A fallback that resolves that very service, to wrap it, gets the result without the fallback.
  @TaskLocal private static var underWay: Set<Making> = []

  private func isMaking(_ key: ServiceKey) -> Bool {
    Self.underWay.contains(Making(fallback: ObjectIdentifier(self), key: key))
  }

  /// Runs user code for a service.
  private func making<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result {
    let making = Making(fallback: ObjectIdentifier(self), key: key)
    return Self.$underWay.withValue(Self.underWay.union([making]), operation: body)
  }
}

/// The place of a request, and the service whose factory made it, if any.
struct RequestOrigin: Sendable, Hashable {
  let location: CodeLocation
  let requester: ServiceKey?
}

/// A double that is made on the main actor, as the result of a fallback.
///
/// ```swift
/// final class WindowTests: SandboxTestCase {
///   override var fallback: (@Sendable (ServiceKey) -> Any?)? {
///     { key in key.type == ShopWindow.self ? MainActorDouble { ShopWindow() } : nil }
///   }
/// }
/// ```
///
/// Requests on the main actor, and those with `await` from elsewhere, return the double. Other
/// requests fail with an error that explains it, and never return the live service. A double of
/// another type than the requested one is an issue, and is not used.
public struct MainActorDouble: Sendable {
  let make: @MainActor @Sendable () -> Any

  /// Creates a result for a fallback.
  ///
  /// - Parameter make: Makes the double, on the main actor, at the first request.
  public init<Service>(_ make: @escaping @MainActor @Sendable () -> Service) {
    self.make = { make() }
  }
}
#endif
