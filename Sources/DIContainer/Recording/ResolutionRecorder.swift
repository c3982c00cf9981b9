// A recorder is bound to a task as a frame of the context (Kernel/ContextFrame.swift). The kernel
// tells every recorder of the current frames when a request begins and ends; the recorder puts
// events in the order in which requests began, and finds an event's parent by the number that the
// thread's resolution frames carry. A lock is held for a few stores an event, never while a
// factory runs, so that what happens at the same time on several threads is not put in a row.

/// Keeps what was registered and resolved while it listens.
///
/// ```swift
/// let recorder = ResolutionRecorder()
/// try withRecorder(recorder) { try Checkout().buy("TEA-GREEN") }
/// print(recorder.tree)
/// ```
///
/// It hears every registration and resolution in its scope, from every thread that works there.
/// Its memory is bounded by what it keeps: `clear()` it to let go.
public final class ResolutionRecorder: Sendable {
  private let state = Lock(State())

  private struct State {
    var events: [ResolutionEvent] = []
    /// The requests under way, which are few, and those that began last are asked for first: a
    /// dictionary took 500 instructions an event.
    var underWay: [(number: UInt64, place: Int)] = []

    func place(_ number: UInt64) -> Int? {
      underWay.last { $0.number == number }?.place
    }

    mutating func add(_ event: consuming ResolutionEvent, parent: UInt64) {
      event.index = events.count
      if parent != 0, let parent = place(parent) {
        event.parent = parent
        event.depth = events[parent].depth + 1
      }
      events.append(event)
    }
  }

  /// Creates a recorder with no events.
  public init() {}

  /// The recorder that listens to the current task, the innermost if there are several.
  public static var current: ResolutionRecorder? {
    ContextFrame.current?.chain.lazy.compactMap(\.recorder).first
  }

  /// What was recorded so far: requests in the order made, parents before what they ask for.
  public var events: [ResolutionEvent] { state.withLock { $0.events } }

  /// The events recorded so far, which are then forgotten.
  public func pop() -> [ResolutionEvent] {
    state.withLock { state in
      defer { state = State() }
      return state.events
    }
  }

  /// Forgets all events.
  public func clear() {
    _ = pop()
  }

  /// The answered requests for a type, and for a name if one is given, by key path or not.
  public func resolutions<Service>(
    of type: Service.Type, name: Resolver.Name? = nil
  ) -> [ResolutionEvent] {
    let key = ServiceKey(type, name: name)
    return events.filter { $0.isAnswered && $0.concerns(key) }
  }

  // MARK: What the kernel tells

  /// Adds an event that is over.
  func add(_ event: ResolutionEvent, parent: UInt64) {
    state.withLock { $0.add(event, parent: parent) }
  }

  /// Adds the event of a request, which is over when `finish` is called with its number.
  func begin(number: UInt64, parent: UInt64, _ event: () -> ResolutionEvent) {
    state.withLock { state in
      state.underWay.append((number, state.events.count))
      state.add(event(), parent: parent)
    }
  }

  func rescope(_ registration: Registration) {
    state.withLock { state in
      let place = state.events.lastIndex {
        $0.kind == .registered && $0.key == registration.key
          && $0.registeredAt == registration.location
      }
      if let place { state.events[place].scope = registration.scope.description }
    }
  }

  func finish(_ number: UInt64, as kind: ResolutionEvent.Kind, after duration: Duration) {
    state.withLock { state in
      // After `clear()` there may be none.
      guard let index = state.underWay.lastIndex(where: { $0.number == number }) else { return }
      let place = state.underWay.remove(at: index).place
      state.events[place].kind = kind
      state.events[place].duration = duration
    }
  }
}

extension ContextFrame {
  /// What another module does when a frame ends that it did not open itself.
  package struct EndHook: Sendable {
    let run: @Sendable (ContextFrame) -> Void

    package init(run: @escaping @Sendable (ContextFrame) -> Void) { self.run = run }
  }

  fileprivate convenience init(listening recorder: ResolutionRecorder, at location: CodeLocation) {
    let outside = ContextFrame.current
    self.init(
      .recorder, parent: outside, recorder: recorder,
      name: outside?.owner.name ?? "withRecorder", location: location)
  }

  fileprivate func runEndHook() {
    extra(EndHook.self)?.run(self)
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

/// Runs an async operation while a recorder listens, on the caller's actor.
@discardableResult
public nonisolated(nonsending) func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let frame = ContextFrame(
    listening: recorder,
    at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { frame.runEndHook() }
  return try await ContextFrame.$bound.withValue(frame) { try await operation() }
}
