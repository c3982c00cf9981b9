internal import DIPrimitives

// The storage of a recorder. Recording must not change what it observes, so it is cheap: an event
// is a record of 96 bytes without references, and the properties of its registration are stored
// once for all its events, in a subject of 128 bytes. Neither holds a container, a registration or
// an instance: these are released as they would be without a recorder. Events for users are made
// when they are read.

/// The events of a recorder, in order.
struct EventLog {
  /// The properties shared by all events of a registration; for misses, those of one request.
  struct Subject {
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
    /// The duration in ticks.
    var duration: UInt64 = 0
    var subject: UInt32
    var kind: ResolutionEvent.Kind
    let isDouble: Bool
  }

  /// The position of an event that has not ended yet.
  struct Ticket {
    fileprivate let place: Int
    fileprivate let generation: UInt
  }

  /// A subject that was used recently.
  private struct Recent {
    let registration: UInt64
    // Held, so that its address is not reused.
    let scope: Scope
    let property: UnsafeMutableRawPointer?
    let subject: UInt32
  }

  /// The moment from which ticks are counted, to determine their length.
  private let began = di_moment_now()
  // In chunks, so that growing does not move existing records.
  private var full: ContiguousArray<ContiguousArray<Record>> = []
  private var chunk: ContiguousArray<Record> = []
  private var subjects: ContiguousArray<Subject> = []
  /// Recent subjects, by the registration's id.
  ///
  /// A subject that is no longer found here is stored again; a lookup in a dictionary of all would
  /// take longer than the rest of recording.
  private var recent: ContiguousArray<Recent?> = []
  /// A number that changes when the events are removed, which invalidates all tickets.
  private var generation: UInt = 0
  /// The recorded calls of doubles.
  private(set) var calls: ContiguousArray<Call> = []
  /// The services whose doubles record their calls.
  private(set) var doubles: Set<ServiceKey> = []

  private static let chunkSize = 256
  private static let recentCount = 64

  /// Removes and returns all events and calls; the services with doubles remain known.
  mutating func takeAll() -> EventLog {
    let all = self
    self = EventLog()
    doubles = all.doubles
    generation = all.generation + 1
    return all
  }

  // MARK: Adding events

  @inline(__always)
  mutating func add(_ record: Record) -> Ticket {
    if chunk.count == Self.chunkSize { beginChunk() }
    chunk.append(record)
    return Ticket(
      place: full.count * Self.chunkSize + chunk.count - 1, generation: generation)
  }

  @inline(never)
  private mutating func beginChunk() {
    full.append(chunk)
    chunk = []
    chunk.reserveCapacity(Self.chunkSize)
  }

  mutating func add(_ subject: Subject) -> UInt32 {
    subjects.append(subject)
    return UInt32(subjects.count - 1)
  }

  /// Returns the subject of a request that resolves to a registration.
  ///
  /// A changed registration has the id of its earlier form, but may have another scope; for an
  /// alias, the scope is its target's. A property may have different keys in two containers.
  @inline(__always)
  mutating func subject(of heard: HeardRequest) -> UInt32 {
    let id = heard.registration.id
    let place = Int(id % UInt64(Self.recentCount))
    if !recent.isEmpty, let known = recent[place], known.registration == id,
      known.scope === heard.scope,
      known.property == heard.request.pointee.propertyReference?.toOpaque()
    {
      return known.subject
    }
    return addSubject(of: heard, recentlyAt: place)
  }

  @inline(never)
  private mutating func addSubject(of heard: HeardRequest, recentlyAt place: Int) -> UInt32 {
    let registration = heard.registration
    let subject = add(
      Subject(
        key: heard.request.key, scope: heard.scope, container: heard.owner.label,
        registeredAt: registration.location))
    if recent.isEmpty {
      recent = .init(repeating: nil, count: Self.recentCount)
      chunk.reserveCapacity(16)
    }
    recent[place] = Recent(
      registration: registration.id, scope: heard.scope,
      property: heard.request.pointee.propertyReference?.toOpaque(), subject: subject)
    return subject
  }

  mutating func add(_ call: CallNote) {
    calls.append(Call(note: call, place: full.count * Self.chunkSize + chunk.count))
  }

  mutating func add(double service: ServiceKey) { doubles.insert(service) }

  // MARK: Changing events

  /// Records the outcome of a request, unless its event was removed.
  @inline(__always)
  mutating func finish(
    _ ticket: Ticket, as kind: ResolutionEvent.Kind, after duration: UInt64
  ) {
    guard ticket.generation == generation else { return }
    let place = ticket.place - full.count * Self.chunkSize
    if place >= 0 {
      chunk[place].finish(as: kind, after: duration)
    } else {
      full[ticket.place / Self.chunkSize][ticket.place % Self.chunkSize]
        .finish(as: kind, after: duration)
    }
  }

  /// Changes the scope in the event of a registration.
  mutating func rescope(_ registration: Registration) {
    func isOf(_ record: Record) -> Bool {
      guard record.kind == .registered else { return false }
      let subject = subjects[Int(record.subject)]
      return subject.key == registration.key && subject.registeredAt == registration.location
    }
    func rescoped(_ record: Record) -> UInt32 {
      let subject = subjects[Int(record.subject)]
      return add(
        Subject(
          key: subject.key, scope: registration.scope, container: subject.container,
          registeredAt: subject.registeredAt))
    }
    if let place = chunk.lastIndex(where: isOf) {
      chunk[place].subject = rescoped(chunk[place])
      return
    }
    for index in full.indices.reversed() {
      guard let place = full[index].lastIndex(where: isOf) else { continue }
      full[index][place].subject = rescoped(full[index][place])
      return
    }
  }
}

extension EventLog.Record {
  @inline(__always)
  fileprivate mutating func finish(as kind: ResolutionEvent.Kind, after duration: UInt64) {
    // A request that was cancelled after its instance was made stays recorded as created.
    if kind != .missed { self.kind = kind }
    self.duration = duration
  }
}

// MARK: - Events

extension EventLog {
  private var records: [Record] { Array(full.joined()) + chunk }

  /// The positions of the events that have a number, by that number.
  var numbered: [UInt64: Int] { Self.numbered(records) }

  private static func numbered(_ records: [Record]) -> [UInt64: Int] {
    var places: [UInt64: Int] = [:]
    for (place, record) in records.enumerated() where record.number != 0 {
      places[record.number] = place
    }
    return places
  }

  /// The events in their public form.
  var events: [ResolutionEvent] {
    let records = records
    let places = records.contains { $0.parent != 0 } ? Self.numbered(records) : [:]
    let tick = di_tick_length(began)
    var events: [ResolutionEvent] = []
    events.reserveCapacity(records.count)
    for (place, record) in records.enumerated() {
      // A recorder that began later, or was cleared since, has no event of the enclosing request.
      let parent = record.parent == 0 ? nil : places[record.parent]
      let subject = subjects[Int(record.subject)]
      var event =
        ResolutionEvent(
          index: place, parent: parent, depth: parent.map { events[$0].depth + 1 } ?? 0,
          kind: record.kind, key: subject.key, container: subject.container,
          scope: subject.scope?.description, isDouble: record.isDouble,
          registeredAt: subject.registeredAt,
          requestedAt: record.kind == .registered ? nil : record.requestedAt,
          duration: .nanoseconds(Int64(min(Double(record.duration) * tick, 9e18))))
      event.keeper = subject.scope
      events.append(event)
    }
    return events
  }
}
