#if canImport(Testing) && canImport(XCTest)
public import DIContainer

/// A recorded event: a registration, a resolution, or a request that missed.
///
/// Events are values that you can create yourself for comparisons. `==` ignores `duration`.
public struct ResolutionEvent: Sendable, Equatable, CustomStringConvertible {
  /// The kinds of events.
  public enum Kind: String, Sendable, Equatable {
    /// A service was registered.
    case registered
    /// A request returned a new instance, or built one that is kept although the request was
    /// cancelled.
    case created
    /// A request returned a kept instance.
    case kept
    /// A request failed, because nothing was registered or for another reason.
    case missed
  }

  /// The position of the event among the recorded ones, from 0.
  public var index: Int
  /// The index of the event in whose factory this request was made.
  public var parent: Int?
  /// The number of enclosing requests; 0 for the outermost.
  public var depth: Int
  /// The kind of event.
  public var kind: Kind
  /// The registered or requested service.
  public var key: ServiceKey
  /// The container that has the registration; for misses, the requested one.
  public var container: String
  /// The scope of the registration, or nil for misses.
  public var scope: String?
  /// Whether it is a double rather than production's.
  public var isDouble: Bool
  /// The place of the registration.
  public var registeredAt: CodeLocation?
  /// The place of the request; nil for registrations.
  public var requestedAt: CodeLocation?
  /// The time that the request took, including its dependencies.
  ///
  /// It may be zero for an existing instance, which needed no waiting.
  public var duration: Duration
  /// What the factory did, if it failed: `threw OutOfStock()`.
  var failure: String?

  /// Creates an event to compare with recorded ones.
  public init(
    index: Int = 0, parent: Int? = nil, depth: Int = 0, kind: Kind, key: ServiceKey,
    container: String, scope: String? = nil, isDouble: Bool = false,
    registeredAt: CodeLocation? = nil, requestedAt: CodeLocation? = nil,
    duration: Duration = .zero
  ) {
    self.index = index
    self.parent = parent
    self.depth = depth
    self.kind = kind
    self.key = key
    self.container = container
    self.scope = scope
    self.isDouble = isDouble
    self.registeredAt = registeredAt
    self.requestedAt = requestedAt
    self.duration = duration
  }

  /// Whether the event is a request, resolved or missed.
  public var isRequest: Bool { kind != .registered }

  /// Whether the event is a request that was resolved.
  var isResolved: Bool { kind == .created || kind == .kept }

  /// What came of a request that missed: where something is registered, its factory failed, or a
  /// dependency.
  var miss: String { registeredAt == nil ? "missing" : failure ?? "failed" }

  /// Whether it concerns a service: a property, or else a type, and a name if the key has one.
  func concerns(_ service: ServiceKey) -> Bool {
    if service.property != nil { return key == service }
    return key.type == service.type && (service.name == nil || key.name == service.name)
  }

  /// The event in one line: `any Payments: created double in main (cached)`.
  public var description: String {
    var text = "\(key): \(kind.rawValue)"
    if kind != .missed { text += isDouble ? " double" : " live" }
    text += " in \(container)"
    if let scope { text += " (\(scope))" }
    return text
  }

  /// Returns whether both events are equal, regardless of their durations.
  public static func == (left: Self, right: Self) -> Bool {
    left.index == right.index && left.parent == right.parent && left.depth == right.depth
      && left.kind == right.kind && left.key == right.key && left.container == right.container
      && left.scope == right.scope && left.isDouble == right.isDouble
      && left.registeredAt == right.registeredAt && left.requestedAt == right.requestedAt
  }
}

extension EventLog {
  /// The events in their public form.
  var events: [ResolutionEvent] {
    let places = notes.contains { $0.parent != 0 } ? numbered : [:]
    var events: [ResolutionEvent] = []
    events.reserveCapacity(notes.count)
    for (index, note) in notes.enumerated() {
      // A recorder that began later, or was cleared since, has no event of the enclosing request.
      let parent = note.parent == 0 ? nil : places[note.parent]
      var event = ResolutionEvent(
        index: index, parent: parent, depth: parent.map { events[$0].depth + 1 } ?? 0,
        kind: ResolutionEvent.Kind(note.outcome), key: note.key, container: note.container,
        scope: note.scope?.description, isDouble: note.isDouble,
        registeredAt: note.registeredAt, requestedAt: note.requestedAt,
        duration: note.duration)
      event.failure = note.failure
      events.append(event)
    }
    return events
  }
}

extension ResolutionEvent.Kind {
  fileprivate init(_ outcome: Outcome?) {
    switch outcome {
    case nil: self = .registered
    case .created: self = .created
    case .kept: self = .kept
    case .missed: self = .missed
    }
  }
}
#endif
