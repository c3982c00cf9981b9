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
  let log = Lock(EventLog())
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
  public var events: [ResolutionEvent] { log.withLock { $0 }.events }

  /// Returns the events recorded so far, and removes all events and calls.
  ///
  /// - Returns: The events, in the order of `events`.
  public func pop() -> [ResolutionEvent] { log.withLock { $0.takeAll() }.events }

  /// Removes all events and calls.
  public func clear() {
    _ = log.withLock { $0.takeAll() }
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

  var contents: RecordedContents { RecordedContents(log.withLock { $0 }) }

  /// Whether a scope in which it listens is open.
  package var isListening: Bool { openScopes.withLock { !$0.isEmpty } }
}

extension ResolutionRecorder: EventRecorder {
  package func add(_ event: EventNote) -> Int { log.withLock { $0.add(event) } }

  package func finish(_ position: Int, as outcome: Outcome, after duration: Duration) {
    log.withLock { $0.finish(position, as: outcome, after: duration) }
  }

  package func rescope(_ registration: Registration) { log.withLock { $0.rescope(registration) } }

  package func didOpen(_ scope: UInt64) { openScopes.withLock { _ = $0.insert(scope) } }

  package func didEnd(_ scope: UInt64) { openScopes.withLock { _ = $0.remove(scope) } }
}

extension ContextFrame {
  /// The recorder that the frame brings, if any.
  package var resolutionRecorder: ResolutionRecorder? { recorder as? ResolutionRecorder }

  /// The recorders that listen here, each once; in a dry run, none outside it.
  package var resolutionRecorders: [ResolutionRecorder] {
    recorders.compactMap { $0 as? ResolutionRecorder }
  }

  fileprivate convenience init(listening recorder: ResolutionRecorder, at location: CodeLocation) {
    let outside = ContextFrame.around
    self.init(
      .plain, parent: outside, recorder: recorder,
      name: outside?.opener.name ?? "withRecorder", isTest: outside?.opener.isTest ?? false,
      location: location)
    listInside()
  }

  fileprivate func endRecording() {
    Tests.delegate?.note(.didRecord(in: self))
    unlist()
  }
}

/// Runs an operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too.
///
/// - Parameters:
///   - recorder: The recorder.
///   - fileID: The caller's file, for reports.
///   - filePath: The caller's file path, for reports.
///   - line: The caller's line, for reports.
///   - column: The caller's column, for reports.
///   - operation: The operation to record.
/// - Returns: The result of the operation.
/// - Throws: The error that the operation throws.
@discardableResult
public func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  let frame = ContextFrame(listening: recorder, at: CodeLocation(fileID, filePath, line, column))
  defer { frame.endRecording() }
  return try ContextFrame.$bound.withValue(frame) { try operation() }
}

/// Runs an async operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too. An operation written in an actor's code runs on that actor.
///
/// - Parameters:
///   - recorder: The recorder.
///   - fileID: The caller's file, for reports.
///   - filePath: The caller's file path, for reports.
///   - line: The caller's line, for reports.
///   - column: The caller's column, for reports.
///   - operation: The operation to record.
/// - Returns: The result of the operation.
/// - Throws: The error that the operation throws.
@discardableResult
public nonisolated(nonsending) func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  let frame = ContextFrame(listening: recorder, at: CodeLocation(fileID, filePath, line, column))
  defer { frame.endRecording() }
  return try await ContextFrame.$bound.withValue(frame) { try await operation() }
}
