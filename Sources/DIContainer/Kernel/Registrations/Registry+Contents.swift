internal import DIPrimitives

// The contents of a registry, which writers change under its lock: the table, with one registration
// per key, and those that share a key with one in the table.

extension Registry {
  struct Contents {
    var table: RegistrationTable

    var hasBeside: Bool { di_load(di_table_beside(table.shared)) != nil }

    /// Registrations that `implements` displaced from the table, and displaced aliases.
    ///
    /// Most tables have none, and then no array.
    var beside: [Registration] {
      get {
        di_load(di_table_beside(table.shared)).map {
          Unmanaged<Beside>.fromOpaque($0).takeUnretainedValue().all
        } ?? []
      }
      nonmutating set {
        let new = newValue.isEmpty ? nil : Unmanaged.passRetained(Beside(newValue)).toOpaque()
        let old = di_exchange(di_table_beside(table.shared), new)
        if let old { Unmanaged<Beside>.fromOpaque(old).release() }
      }
    }
  }

  private final class Beside {
    let all: [Registration]
    init(_ all: [Registration]) { self.all = all }
  }

  /// Registrations that are no longer used.
  struct Dropped {
    /// The registration that had the key.
    var displaced: Registration?
    /// The registrations beside it, which are rare; an array of all took 800 instructions.
    var beside: [Registration] = []

    var all: [Registration] { beside + (displaced.map { [$0] } ?? []) }

    /// Leaves references with the threads that run their factories; readers have left.
    func releaseAfterRunning() {
      displaced?.releaseAfterRunning()
      for registration in beside { registration.releaseAfterRunning() }
    }
  }
}

extension Registry.Contents {
  /// Leaves references with the threads that run their factories; no reader is left.
  func releaseAfterRunning() {
    table.forEach { $0.releaseAfterRunning() }
    for registration in beside { registration.releaseAfterRunning() }
  }

  /// Stores a registration and returns those that are no longer used; returns nil, and changes
  /// nothing, if `keep` returns true for the one that has its key.
  ///
  /// Registering a key again replaces its registration; implementing a protocol adds to the
  /// registrations that already implement it.
  @inline(__always)
  mutating func set(
    _ registration: Registration, mayBeNew: Bool = true,
    unless keep: (Registration) -> Bool = { _ in false }
  ) -> Registry.Dropped? {
    guard
      case .instead(let displaced) = table.set(registration, mayBeNew: mayBeNew, unless: keep)
    else { return nil }
    var dropped = Registry.Dropped()
    if registration.isDecoration {
      // A decoration holds what it wraps, and leaves the registrations beside it alone.
      dropped.displaced = displaced
      return dropped
    }
    if hasBeside {
      let key = registration.key
      let isReplaced = { (other: Registration) in
        other.key == key
          && (registration.isRemoval || other.wrapped.aliasTarget == registration.aliasTarget)
      }
      dropped.beside = beside.filter(isReplaced)
      beside.removeAll(where: isReplaced)
    }
    guard let displaced else { return dropped }
    let isAlsoNeeded =
      !registration.isRemoval && !displaced.isRemoval
      && displaced.wrapped.aliasTarget != registration.aliasTarget
    if isAlsoNeeded { beside.append(displaced) }
    dropped.displaced = displaced
    return dropped
  }

  /// Replaces a registration beside the table with a changed form of it.
  mutating func change(beside registration: Registration) -> Registry.Dropped {
    guard let place = beside.firstIndex(where: { $0.id == registration.id }) else {
      return Registry.Dropped()
    }
    defer { beside[place] = registration }
    return Registry.Dropped(displaced: beside[place])
  }
}

extension Registration {
  /// The registration that a decoration wraps and replaces, or the registration itself.
  fileprivate var wrapped: Registration {
    isDecoration ? withDisplaced.last.unsafelyUnwrapped : self
  }
}
