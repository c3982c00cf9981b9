// A recorder is bound to a task as a frame of the context (ContextFrame.swift). The kernel
// tells every recorder of the current frames when a request begins and ends; the recorder puts
// events in the order in which requests began. A lock is held for a few stores an event, never
// while a factory runs, so that what happens at the same time on several threads is not put in a
// row.

/// Keeps what was registered and resolved while it listens.
///
/// ```swift
/// let recorder = ResolutionRecorder()
/// try withRecorder(recorder) { try Checkout().buy("TEA-GREEN") }
/// print(recorder.tree)
/// ```
///
/// It hears every registration and resolution in its scope, from every thread that works there.
/// Its memory is bounded by what it keeps: `clear()` it to let go. That is some 100 bytes an event
/// and 130 more for each registration that was asked for, or for each event where far more than 64
/// of them are asked in turn. It keeps no instance and no container alive.
public final class ResolutionRecorder: Sendable {
  private let log = Lock(EventLog())

  /// Creates a recorder with no events.
  public init() {}

  /// The recorder that listens to the current task, the innermost if there are several.
  public static var current: ResolutionRecorder? {
    ContextFrame.current?.chain.lazy.compactMap(\.recorder).first
  }

  /// What was recorded so far: requests in the order made, parents before what they ask for.
  public var events: [ResolutionEvent] { log.withLock { $0 }.events }

  /// The events recorded so far, which are then forgotten.
  public func pop() -> [ResolutionEvent] { log.withLock { $0.takeAll() }.events }

  /// Forgets all events.
  public func clear() {
    _ = log.withLock { $0.takeAll() }
  }

  /// The answered requests for a type, and for a name if one is given, by key path or not.
  public func resolutions<Service>(
    of type: Service.Type, name: Resolver.Name? = nil
  ) -> [ResolutionEvent] {
    resolutions(of: ServiceKey(type, name: name))
  }

  /// The answered requests for a property of `Container`: `recorder.resolutions(of: \.payments)`.
  ///
  /// Requests for the property count, not those for its type.
  public func resolutions<Declared: FactoryModifying>(
    of keyPath: KeyPath<Container, Declared>
  ) -> [ResolutionEvent] {
    resolutions(of: Container.shared[keyPath: keyPath].registration.serviceKey)
  }

  /// The answered requests for a property of a container type, whichever container was asked.
  public func resolutions<C: SharedContainer, Declared: FactoryModifying>(
    of keyPath: KeyPath<C, Declared>
  ) -> [ResolutionEvent] {
    resolutions(of: C.shared[keyPath: keyPath].registration.serviceKey)
  }

  private func resolutions(of key: ServiceKey) -> [ResolutionEvent] {
    events.filter { $0.isAnswered && $0.concerns(key) }
  }

  var contents: RecordedContents { RecordedContents(log.withLock { $0 }) }

  func withLog(_ body: (inout EventLog) -> Void) { log.withLock(body) }

  /// Where the kernel finds the events.
  var logAddress: UnsafeMutableRawPointer { log.address }
}

extension ContextFrame {
  /// What another module does when a frame ends that it did not open itself.
  package struct EndHook: Sendable {
    let run: @Sendable (ContextFrame) -> Void

    package init(run: @escaping @Sendable (ContextFrame) -> Void) { self.run = run }
  }

  fileprivate convenience init(listening recorder: ResolutionRecorder, at location: CodeLocation) {
    let outside = ContextFrame.around
    self.init(
      .recorder, parent: outside, recorder: recorder,
      name: outside?.owner.name ?? "withRecorder", isTest: outside?.owner.isTest ?? false,
      location: location)
    noteOpenInside()
  }

  fileprivate func runEndHook() {
    extra(EndHook.self)?.run(self)
    noteEnd()
  }
}

/// Runs an operation while a recorder listens, and returns what it returns.
///
/// The recorder hears the operation's task and its child tasks; recorders outside hear them too.
///
/// - Parameters:
///   - recorder: What listens.
///   - fileID: The caller's file, for reports.
///   - filePath: The caller's file, for reports.
///   - line: The caller's line, for reports.
///   - column: The caller's column, for reports.
///   - operation: What runs inside.
/// - Returns: What the operation returns.
@discardableResult
public func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  let frame = ContextFrame(
    listening: recorder,
    at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { frame.runEndHook() }
  return try ContextFrame.$bound.withValue(frame) { try operation() }
}

/// Runs an async operation while a recorder listens.
///
/// An operation that is written in an actor's code runs there.
@discardableResult
public nonisolated(nonsending) func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  let frame = ContextFrame(
    listening: recorder,
    at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { frame.runEndHook() }
  return try await ContextFrame.$bound.withValue(frame) { try await operation() }
}
