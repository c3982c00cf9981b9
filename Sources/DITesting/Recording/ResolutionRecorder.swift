#if canImport(Testing) && canImport(XCTest)
public import DIContainer

// A recorder is bound to a task as a frame of the context (ContextFrame.swift). The kernel notifies
// every recorder of the current frames when a request begins and ends; the recorder stores events
// in the order in which requests began. A lock is held for a few stores per event, never while a
// factory runs, so that concurrent work on several threads is not serialised.

/// A recorder of the registrations and resolutions made while it is active.
///
/// ```swift
/// let recorder = ResolutionRecorder()
/// try withRecorder(recorder) { try Checkout().buy("TEA-GREEN") }
/// print(recorder.tree)
/// ```
///
/// It records every registration and resolution in its scope, from every thread that works there.
/// Its memory grows with its events, some 250 bytes for each; `clear()` frees it. It keeps no
/// instance and no container alive.
public final class ResolutionRecorder: Sendable {
  private let log = Lock(RecorderLog())
  /// The open scopes in which it listens, by the numbers of their frames.
  private let openScopes = Lock<Set<UInt64>>([])

  /// Creates a recorder with no events.
  public init() {}

  /// The recorder that is active in the current task, the innermost if there are several.
  ///
  /// In a factory that a dry run calls, it is nil: recorders outside do not record that.
  public static var current: ResolutionRecorder? {
    guard let frame = ContextFrame.current else { return nil }
    return frame.chain.lazy.prefix { $0.dryRun === frame.dryRun }
      .compactMap(\.resolutionRecorder).first
  }

  /// The events recorded so far: requests in the order made, each before its dependencies.
  public var events: [ResolutionEvent] { notes.events }

  /// The events as the kernel noted them.
  var notes: EventLog { log.withLock { $0.events } }

  /// The calls of doubles so far, in the order in which they began.
  ///
  /// These are the calls of this module's doubles, and those recorded with `noteCall`.
  public var calls: [RecordedCall] { contents.calls }

  /// Returns the events recorded so far, and removes all events and calls.
  ///
  /// - Returns: The events, in the order of `events`.
  public func pop() -> [ResolutionEvent] {
    log.withLock { log in
      defer { log.clear() }
      return log.events
    }.events
  }

  /// Removes all events and calls.
  public func clear() {
    log.withLock { $0.clear() }
  }

  /// Returns the resolved requests for a type, also those by key path.
  ///
  /// - Parameters:
  ///   - type: The type of the service.
  ///   - name: The name of the service; nil for any name.
  /// - Returns: The events of requests that returned an instance.
  public func resolutions<Service>(
    of type: Service.Type, name: Resolver.Name? = nil
  ) -> [ResolutionEvent] {
    resolutions(of: ServiceKey(type, name: name))
  }

  /// Returns the requests for a service that returned an instance.
  func resolutions(of key: ServiceKey) -> [ResolutionEvent] {
    events.filter { $0.isResolved && $0.concerns(key) }
  }

  var contents: RecordedContents { log.withLock { $0 }.contents }

  /// Records a call of a double that begins now.
  func note(_ call: CallNote) { log.withLock { $0.add(call) } }

  /// Records that a double records its calls.
  func note(_ double: DoubleRegistration) { log.withLock { $0.add(double) } }

  /// Whether a scope in which it listens is open.
  var isListening: Bool { openScopes.withLock { !$0.isEmpty } }
}

extension ResolutionRecorder {
  /// Returns the resolved requests for a property of `Container`.
  ///
  /// Requests for the property count, not those for its type, as in
  /// `recorder.resolutions(of: \.payments)`.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The events of requests that returned an instance.
  public func resolutions<Declared: FactoryModifying>(
    of keyPath: KeyPath<Container, Declared>
  ) -> [ResolutionEvent] {
    resolutions(of: Container.shared[keyPath: keyPath]._registration.serviceKey)
  }

  /// Returns the resolved requests for a property of a container type, made to any of its
  /// containers.
  ///
  /// ```swift
  /// let requests = recorder.resolutions(of: \Warehouse.stock)
  /// ```
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The events of requests that returned an instance.
  public func resolutions<C: SharedContainer, Declared: FactoryModifying>(
    of keyPath: KeyPath<C, Declared>
  ) -> [ResolutionEvent] {
    resolutions(of: C.shared[keyPath: keyPath]._registration.serviceKey)
  }
}

extension ResolutionRecorder: EventRecorder {
  package func add(_ event: EventNote) -> Int { log.withLock { $0.events.add(event) } }

  package func finish(
    _ position: Int, as outcome: Outcome, _ failure: String?, after duration: Duration
  ) {
    log.withLock { $0.events.finish(position, as: outcome, failure, after: duration) }
  }

  package func rescope(_ registration: Registration) {
    log.withLock { $0.events.rescope(registration) }
  }

  package func didOpen(_ scope: UInt64) { openScopes.withLock { _ = $0.insert(scope) } }

  package func didEnd(_ scope: UInt64) { openScopes.withLock { _ = $0.remove(scope) } }
}

extension ContextFrame {
  /// The recorder that the frame brings, if any.
  var resolutionRecorder: ResolutionRecorder? { recorder as? ResolutionRecorder }

  /// The recorders that listen here, each once; in a dry run, none outside it.
  var resolutionRecorders: [ResolutionRecorder] {
    recorders.compactMap { $0 as? ResolutionRecorder }
  }
}

extension Resolver {
  /// Returns the graph, with the dependencies of closures as recorded.
  ///
  /// - Parameter recorders: Recordings of runs of this container.
  /// - Returns: The graph.
  public func graph(observedBy recorders: ResolutionRecorder...) -> DependencyGraph {
    graph(observing: recorders.map(\.notes))
  }
}

extension ManagedContainer {
  /// Checks the wiring of all services, with the dependencies of closures as recorded.
  ///
  /// See `validate(roots:dryRun:)` for the faults that it throws.
  ///
  /// - Parameters:
  ///   - roots: The types that the program resolves itself.
  ///   - recorders: Recordings of runs, which show the dependencies of closures.
  ///   - dryRun: Whether to run every factory once, too.
  /// - Throws: All faults in the wiring, if there are any.
  /// - Returns: The report, with warnings and the limits of the check.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], observedBy recorders: [ResolutionRecorder], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try validate(roots: roots, observing: recorders.map(\.notes), dryRun: dryRun)
  }
}
#endif
