/// The events of a recorder, in the order in which they began.
///
/// It holds no container, registration or instance: these are released as they would be without a
/// recorder.
struct EventLog {
  /// One event, with what it takes to make the public form of it.
  struct Record {
    /// The number that requests made by this one's factory refer to; 0 if there are none.
    var number: UInt64 = 0
    /// The number of the request in whose factory this one was made, or 0.
    let parent: UInt64
    var kind: ResolutionEvent.Kind
    let key: ServiceKey
    let container: String
    var scope: Scope?
    let isDouble: Bool
    let registeredAt: CodeLocation?
    /// The place of the request; nil for registrations.
    let requestedAt: CodeLocation?
    var duration: Duration = .zero
  }

  private var records: [Record] = []
  /// The number of records that were removed so far.
  private var removed = 0
  /// The recorded calls of doubles.
  private(set) var calls: [Call] = []
  /// The services whose doubles record their calls.
  private(set) var doubles: Set<ServiceKey> = []

  /// Removes and returns all events and calls; the services with doubles remain known.
  mutating func takeAll() -> EventLog {
    let all = self
    removed += records.count
    records = []
    calls = []
    return all
  }

  /// Adds an event.
  ///
  /// - Returns: Its position among all events that were ever added.
  mutating func add(_ record: Record) -> Int {
    records.append(record)
    return removed + records.count - 1
  }

  mutating func add(_ call: CallNote) { calls.append(Call(note: call, place: records.count)) }

  mutating func add(double service: ServiceKey) { doubles.insert(service) }

  /// Records the outcome of a request, unless its event was removed.
  mutating func finish(_ position: Int, as kind: ResolutionEvent.Kind, after duration: Duration) {
    let place = position - removed
    guard place >= 0 else { return }
    // A request that was cancelled after its instance was made stays recorded as created.
    if kind != .missed { records[place].kind = kind }
    records[place].duration = duration
  }

  /// Changes the scope in the event of a registration.
  mutating func rescope(_ registration: Registration) {
    let place = records.lastIndex {
      $0.kind == .registered && $0.key == registration.key
        && $0.registeredAt == registration.location
    }
    if let place { records[place].scope = registration.scope }
  }

  /// The positions of the events that have a number, by that number.
  var numbered: [UInt64: Int] {
    var places: [UInt64: Int] = [:]
    for (place, record) in records.enumerated() where record.number != 0 {
      places[record.number] = place
    }
    return places
  }

  /// The events in their public form.
  var events: [ResolutionEvent] {
    let places = records.contains { $0.parent != 0 } ? numbered : [:]
    var events: [ResolutionEvent] = []
    events.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      // A recorder that began later, or was cleared since, has no event of the enclosing request.
      let parent = record.parent == 0 ? nil : places[record.parent]
      var event = ResolutionEvent(
        index: index, parent: parent, depth: parent.map { events[$0].depth + 1 } ?? 0,
        kind: record.kind, key: record.key, container: record.container,
        scope: record.scope?.description, isDouble: record.isDouble,
        registeredAt: record.registeredAt, requestedAt: record.requestedAt,
        duration: record.duration)
      event.keeper = record.scope
      events.append(event)
    }
    return events
  }
}
