/// The events of a recorder, in the order in which they began.
package struct EventLog: Sendable {
  package private(set) var notes: [EventNote] = []
  /// The number of notes that were removed so far.
  private var removed = 0

  package init() {}

  /// Removes all events.
  package mutating func clear() {
    removed += notes.count
    notes = []
  }

  /// Adds an event.
  ///
  /// - Returns: Its position among all events that were ever added.
  package mutating func add(_ note: EventNote) -> Int {
    notes.append(note)
    return removed + notes.count - 1
  }

  /// Records the outcome of a request, unless its event was removed.
  package mutating func finish(
    _ position: Int, as outcome: Outcome, _ failure: String?, after duration: Duration
  ) {
    let place = position - removed
    guard place >= 0 else { return }
    // A request that was cancelled after its instance was made stays recorded as created.
    if outcome != .missed { notes[place].outcome = outcome }
    notes[place].duration = duration
    notes[place].failure = failure
  }

  /// Changes the scope in the event of a registration.
  package mutating func rescope(_ registration: Registration) {
    let place = notes.lastIndex {
      $0.outcome == nil && $0.key == registration.key
        && $0.registeredAt == registration.location
    }
    if let place { notes[place].scope = registration.scope }
  }

  /// The positions of the events that have a number, by that number.
  package var numbered: [UInt64: Int] {
    var places: [UInt64: Int] = [:]
    for (place, note) in notes.enumerated() where note.number != 0 { places[note.number] = place }
    return places
  }
}
