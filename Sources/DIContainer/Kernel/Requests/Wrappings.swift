// The registrations that represent a decoration. A decorated instance is kept as long as the
// instance that it wraps, and which registration that is differs with the requested container. So
// the first request that finds a decoration over a registration makes another registration for the
// pair, in the scope of the wrapped one. It is found again by the number of the wrapped
// registration's keeper.

/// The registrations that represent a decoration, one for each that it wraps, in its scope.
final class Wrappings: Sendable {
  private let state = Lock(State())

  private struct State {
    /// The registrations, by the number of the keeper of the wrapped one, or of a wrapped one that
    /// has none; 0 if nothing is wrapped.
    var entries: [UInt64: Entry] = [:]
    /// The number of entries at which those are dropped that can no longer be requested, or may be
    /// made again: containers that are changed repeatedly would add any number of them.
    var limit = 64
  }

  private struct Entry {
    let registration: Registration
    /// The keeper of the wrapped registration.
    weak var wrapped: Keeper?
  }

  func registration(for decoration: Registration, over wrapped: Registration?) -> Registration {
    let number = wrapped.map { $0.keeper?.id ?? $0.id } ?? 0
    if let present = state.withLock({ $0.entries[number] }) { return present.registration }
    let made = decoration.wrapping(wrapped)
    if let keeper = made.keeper { wrapped?.keeper?.addDecorated(keeper) }
    // Keepers that are retained for a moment leave the lock before they are released, and so do the
    // registrations that are dropped.
    let (own, _, _) = state.withLock { state -> (Registration, [Entry], [Keeper]) in
      if let present = state.entries[number] { return (present.registration, [], []) }
      var (dropped, alive): ([Entry], [Keeper]) = ([], [])
      if state.entries.count >= state.limit {
        state.entries = state.entries.filter { _, entry in
          guard let wrapped = entry.wrapped else {
            dropped.append(entry)
            return false
          }
          alive.append(wrapped)
          return true
        }
        state.limit = max(64, state.entries.count * 2)
      }
      state.entries[number] = Entry(registration: made, wrapped: wrapped?.keeper)
      return (made, dropped, alive)
    }
    return own
  }
}

extension Registration {
  var wrappings: Wrappings? { maker.isPlain ? nil : maker.details.wrappings }

  /// Returns the registration that represents this decoration over another.
  fileprivate func wrapping(_ wrapped: Registration?) -> Registration {
    var maker = maker
    maker.details.wrappings = nil
    return Registration(
      key: key, scope: wrapped?.scope ?? .unique, location: location, maker: maker,
      options: options)
  }
}
