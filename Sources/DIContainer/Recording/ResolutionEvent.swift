/// Something that a recorder saw: a registration, a resolution, or a request that missed.
///
/// Events are values that you can make yourself to compare with. `==` ignores `duration`.
public struct ResolutionEvent: Sendable, Equatable, CustomStringConvertible {
  /// What happened.
  public enum Kind: String, Sendable, Equatable {
    /// Something was registered.
    case registered
    /// A request was answered with a new instance, or led to one that is kept although the request
    /// was cancelled meanwhile.
    case created
    /// A request was answered with an instance that was kept.
    case kept
    /// Nothing was registered for a request, or it came to nothing.
    case missed
  }

  /// The event's place among those recorded, from 0.
  public var index: Int
  /// The place of the event in whose factory this request was made.
  public var parent: Int?
  /// How many requests lead to this one; 0 for the outermost.
  public var depth: Int
  /// What happened.
  public var kind: Kind
  /// The service that was registered or asked for.
  public var key: ServiceKey
  /// The container that has the registration; for misses, the one that was asked.
  public var container: String
  /// The scope of the registration, or nil for misses.
  public var scope: String?
  /// Whether a test put it there: it is not what production set up.
  public var isDouble: Bool
  /// Where the registration was made.
  public var registeredAt: CodeLocation?
  /// Where the request was made.
  public var requestedAt: CodeLocation?
  /// How long the request took, with all that it asked for.
  ///
  /// It may be zero for an instance that was at hand, where there was nothing to wait for.
  public var duration: Duration
  /// The scope itself, of what was recorded; it is not compared.
  var keeper: Scope?

  /// Creates an event, to compare recorded ones with.
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

  /// Whether the event is a request, answered or not.
  public var isRequest: Bool { kind != .registered }

  /// Whether the event is a request that was answered.
  package var isAnswered: Bool { kind == .created || kind == .kept }

  /// Whether it concerns a service: a property, or else a type, and a name if the key has one.
  package func concerns(_ service: ServiceKey) -> Bool {
    if service.property != nil { return key == service }
    return key.type == service.type && (service.name == nil || key.name == service.name)
  }

  /// The event in a line: `any Payments: created double in main (cached)`.
  public var description: String {
    var text = "\(key): \(kind.rawValue)"
    if kind != .missed { text += isDouble ? " double" : " live" }
    text += " in \(container)"
    if let scope { text += " (\(scope))" }
    return text
  }

  /// Whether both record the same; durations are not compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.index == right.index && left.parent == right.parent && left.depth == right.depth
      && left.kind == right.kind && left.key == right.key && left.container == right.container
      && left.scope == right.scope && left.isDouble == right.isDouble
      && left.registeredAt == right.registeredAt && left.requestedAt == right.requestedAt
  }
}
