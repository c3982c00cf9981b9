#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The events and the calls of doubles that a recorder holds.
struct RecorderLog {
  /// A call, with the number of events when it began.
  struct Call {
    let note: CallNote
    let place: Int
  }

  var events = EventLog()
  private var calls: [Call] = []
  /// The doubles that record their calls.
  private var doubles: Set<DoubleRegistration> = []

  /// Removes all events and calls; the doubles remain known.
  mutating func clear() {
    events.clear()
    calls = []
  }

  mutating func add(_ call: CallNote) { calls.append(Call(note: call, place: events.notes.count)) }

  mutating func add(_ double: DoubleRegistration) { doubles.insert(double) }

  /// Returns the doubles that events returned; nil for all other events.
  ///
  /// Doubles that do not record calls themselves stand for any of that type and name: they may
  /// decorate one that does.
  private func returnedDoubles(_ events: [ResolutionEvent]) -> [DoubleRegistration?] {
    let known = doubles.union(calls.flatMap(\.note.registrations))
    return events.map { event in
      guard event.isResolved, event.isDouble else { return nil }
      let exact = DoubleRegistration(event.key, at: event.registeredAt)
      return known.contains(exact) ? exact : exact.withoutPlace
    }
  }

  /// Returns the calls in their public form, linked to the events, which returned these doubles.
  private func calls(beside doubles: [DoubleRegistration?]) -> [RecordedCall] {
    let numbered = calls.contains { $0.note.request != 0 } ? events.numbered : [:]
    // The last event before a call that returned a double.
    var returned: [DoubleRegistration: Int] = [:]
    var next = 0
    return calls.map { call in
      while next < call.place {
        if let double = doubles[next] { returned[double] = next }
        next += 1
      }
      let registrations = call.note.registrations
      return call.note.recorded(
        numbered[call.note.request] ?? registrations.compactMap { returned[$0] }.max()
          ?? registrations.compactMap { returned[$0.withoutPlace] }.max())
    }.sorted { $0.number < $1.number }
  }

  /// Everything in its public form.
  var contents: RecordedContents {
    let events = events.events
    let doubles = returnedDoubles(events)
    let calls = calls(beside: doubles)
    let called = Set(
      calls.compactMap { $0.resolution.flatMap { doubles[$0] } }
        + self.calls.flatMap(\.note.registrations))
    let uncalled = doubles.indices.filter { index in
      guard let double = doubles[index] else { return false }
      return self.doubles.contains(double) && !called.contains(double)
    }
    return RecordedContents(events: events, calls: calls, uncalled: Set(uncalled))
  }
}

/// The events and the calls of doubles at one moment.
struct RecordedContents {
  let events: [ResolutionEvent]
  let calls: [RecordedCall]
  /// The indices of events that returned doubles without a recorded call.
  let uncalled: Set<Int>
}
#endif
