internal import DIPrimitives

// What a recorder keeps. Recording must not change what it looks at, so it is made to be cheap: an
// event is a record of 96 bytes that refers to nothing, and what its registration says is kept once
// for all events of that registration, in a subject of 168 bytes. Neither holds a container, a
// registration or an instance: these go when they would go without a recorder. Events as users see
// them are made when somebody asks for them.

/// The events of a recorder, in order.
struct EventLog {
  /// What all events of a registration have in common; for misses, of one request.
  struct Subject {
    /// The registration's id, or 0.
    let registration: UInt64
    let key: ServiceKey
    let scope: Scope?
    let container: String
    let registeredAt: CodeLocation?
  }

  struct Record {
    /// The number that requests made by this one's factory refer to; 0 if there are none.
    let number: UInt64
    /// The number of the request in whose factory this one was made, or 0.
    let parent: UInt64
    let requestedAt: CodeLocation
    var nanoseconds: UInt64 = 0
    var subject: UInt32
    var kind: ResolutionEvent.Kind
    let isDouble: Bool
  }

  /// Where an event is whose end is still to come.
  struct Ticket {
    let place: Int
    let generation: UInt64
  }

  private var records: ContiguousArray<Record> = []
  private var subjects: ContiguousArray<Subject> = []
  /// The subjects last used, by the registration's id.
  ///
  /// One that is not found here any more is kept a second time; a dictionary of all would take
  /// longer to look into than the rest of recording.
  private var recent: ContiguousArray<UInt32> = []
  /// Changes when the events are taken away, with which all tickets expire.
  private let generation: UInt64

  init() { self.init(generation: 0) }

  private init(generation: UInt64) { self.generation = generation }

  /// Takes all events out.
  mutating func takeAll() -> EventLog {
    let all = self
    self = EventLog(generation: generation + 1)
    return all
  }

  // MARK: Adding events

  @inline(__always)
  mutating func add(_ record: Record) -> Ticket {
    records.append(record)
    return Ticket(place: records.count - 1, generation: generation)
  }

  mutating func add(_ subject: Subject) -> UInt32 {
    subjects.append(subject)
    return UInt32(subjects.count - 1)
  }

  /// The subject of requests that a registration answers.
  ///
  /// A changed registration has the id of what it was made from, but may have another scope; that
  /// of an alias is its target's. A property can be declared in two places.
  @inline(__always)
  mutating func subject(
    _ request: UnsafePointer<Request>, _ registration: Registration, _ owner: ContainerCore,
    _ scope: Scope
  ) -> UInt32 {
    let place = Int(registration.id % UInt64(Self.recentCount))
    if place < recent.count, recent[place] < subjects.count {
      let known = recent[place]
      if subjects[Int(known)].isOf(request, registration, scope) { return known }
    }
    return addSubject(request, registration, owner, scope, recentlyAt: place)
  }

  private static let recentCount = 64

  @inline(never)
  private mutating func addSubject(
    _ request: UnsafePointer<Request>, _ registration: Registration, _ owner: ContainerCore,
    _ scope: Scope, recentlyAt place: Int
  ) -> UInt32 {
    let subject = add(
      Subject(
        registration: registration.id, key: request.pointee.key, scope: scope,
        container: owner.label, registeredAt: registration.location))
    if recent.isEmpty { recent = .init(repeating: .max, count: Self.recentCount) }
    recent[place] = subject
    return subject
  }

  /// Says how a request ended; after its event was taken away there is nothing to say.
  @inline(__always)
  mutating func finish(
    _ ticket: Ticket, as kind: ResolutionEvent.Kind, after nanoseconds: UInt64
  ) {
    guard ticket.generation == generation else { return }
    records[ticket.place].kind = kind
    records[ticket.place].nanoseconds = nanoseconds
  }

  /// Changes the scope that the event of a registration tells.
  mutating func rescope(_ registration: Registration) {
    let place = records.lastIndex { record in
      guard record.kind == .registered else { return false }
      let subject = subjects[Int(record.subject)]
      return subject.key == registration.key && subject.registeredAt == registration.location
    }
    guard let place else { return }
    let subject = subjects[Int(records[place].subject)]
    records[place].subject = add(
      Subject(
        registration: 0, key: subject.key, scope: registration.scope,
        container: subject.container, registeredAt: subject.registeredAt))
  }
}

extension EventLog.Subject {
  @inline(__always)
  fileprivate func isOf(
    _ request: UnsafePointer<Request>, _ registration: Registration, _ scope: Scope
  ) -> Bool {
    self.registration == registration.id && self.scope === scope
      && key.property === request.pointee.property
  }
}

// MARK: - Events

extension EventLog {
  /// The events as users see them.
  var events: [ResolutionEvent] {
    var places: [UInt64: Int] = [:]
    if records.contains(where: { $0.parent != 0 }) {
      for (place, record) in records.enumerated() where record.number != 0 {
        places[record.number] = place
      }
    }
    var events: [ResolutionEvent] = []
    events.reserveCapacity(records.count)
    for (place, record) in records.enumerated() {
      // A recorder that began later, or was cleared since, has no event of the asker.
      let parent = record.parent == 0 ? nil : places[record.parent]
      let subject = subjects[Int(record.subject)]
      events.append(
        ResolutionEvent(
          index: place, parent: parent, depth: parent.map { events[$0].depth + 1 } ?? 0,
          kind: record.kind, key: subject.key, container: subject.container,
          scope: subject.scope?.description, isDouble: record.isDouble,
          registeredAt: subject.registeredAt,
          requestedAt: record.kind == .registered ? nil : record.requestedAt,
          duration: .nanoseconds(record.nanoseconds)))
    }
    return events
  }
}
