internal import DIPrimitives

// What writers of a registry change under its lock: the table, which has one registration a key,
// and beside it those that share a key with one in the table.

extension Registry {
  struct Contents {
    var table: RegistrationTable

    var hasBeside: Bool { di_load(di_table_beside(table.shared)) != nil }

    /// What `implements` displaced from the table, and aliases that were displaced themselves.
    ///
    /// Most tables have none: then there is no array.
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

  /// What nobody has a use for any more.
  struct Dropped {
    /// The one that had the key.
    var displaced: Registration?
    /// What stood beside it, which is rare; an array of all took 800 instructions.
    var beside: [Registration] = []

    /// Leaves references to whoever runs their factories; readers have left.
    func leaveToRunners() {
      displaced?.leaveToRunners()
      for registration in beside { registration.leaveToRunners() }
    }
  }
}

extension Registry.Contents {
  /// Leaves references to whoever runs their factories; nobody reads them any more.
  func leaveToRunners() {
    table.forEach { $0.leaveToRunners() }
    for registration in beside { registration.leaveToRunners() }
  }

  /// Stores a registration, and hands back what nobody has a use for any more.
  @discardableResult
  mutating func set(_ registration: Registration) -> Registry.Dropped {
    set(registration, unless: { _ in false }).unsafelyUnwrapped
  }

  /// Stores a registration, unless `keep` says that the one that has its key stays: nil then.
  ///
  /// Registering a key again replaces what was registered for it; implementing a protocol adds to
  /// those that implement it already.
  @inline(__always)
  mutating func set(
    _ registration: Registration, mayBeNew: Bool = true, unless keep: (Registration) -> Bool
  ) -> Registry.Dropped? {
    guard
      case .instead(let displaced) = table.set(registration, mayBeNew: mayBeNew, unless: keep)
    else { return nil }
    var dropped = Registry.Dropped()
    if registration.home.isUnder {
      // A decoration takes what it wraps along, and leaves alone what stands beside that.
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

  /// Puts a changed form of a registration beside the table in the place of the earlier one.
  mutating func change(beside registration: Registration) -> Registry.Dropped {
    guard let place = beside.firstIndex(where: { $0.id == registration.id }) else {
      return Registry.Dropped()
    }
    defer { beside[place] = registration }
    return Registry.Dropped(displaced: beside[place])
  }
}

extension Registration {
  /// What a decoration wraps, which it goes with: the registration in whose place it stands.
  fileprivate var wrapped: Registration {
    home.isUnder ? withDisplaced.last.unsafelyUnwrapped : self
  }
}
