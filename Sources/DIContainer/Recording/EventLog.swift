/// The events of a recorder, in the order in which they began.
struct EventLog {
  private var records: [EventNote] = []
  /// The number of records that were removed so far.
  private var removed = 0
  private(set) var calls: [Call] = []
  /// The doubles that record their calls.
  private(set) var doubles: Set<DoubleRegistration> = []

  /// Removes and returns all events and calls; the doubles remain known.
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
  mutating func add(_ record: EventNote) -> Int {
    records.append(record)
    return removed + records.count - 1
  }

  mutating func add(_ call: CallNote) { calls.append(Call(note: call, place: records.count)) }

  mutating func add(_ double: DoubleRegistration) { doubles.insert(double) }

  /// Records the outcome of a request, unless its event was removed.
  mutating func finish(_ position: Int, as outcome: Outcome, after duration: Duration) {
    let place = position - removed
    guard place >= 0 else { return }
    // A request that was cancelled after its instance was made stays recorded as created.
    if outcome != .missed { records[place].outcome = outcome }
    records[place].duration = duration
  }

  /// Changes the scope in the event of a registration.
  mutating func rescope(_ registration: Registration) {
    let place = records.lastIndex {
      $0.outcome == nil && $0.key == registration.key
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
        kind: ResolutionEvent.Kind(record.outcome), key: record.key, container: record.container,
        scope: record.scope?.description, isDouble: record.isDouble,
        registeredAt: record.registeredAt, requestedAt: record.requestedAt,
        duration: record.duration)
      event.lifetime = record.scope
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
