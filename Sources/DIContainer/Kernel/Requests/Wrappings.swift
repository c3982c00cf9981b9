// The registrations that represent a decoration. A decorated instance is kept as long as the
// instance that it wraps, and which registration that is differs with the requested container. So
// the first request that finds a decoration over a registration makes another registration for the
// pair, in the scope of the wrapped one. It is found again by the wrapped registration's slot.

/// The registrations that represent a decoration, one for each that it wraps, in its scope.
final class Wrappings: Sendable {
  /// The number of entries at which those are dropped that wrap registrations without a slot.
  ///
  /// They are searched one by one, and containers that are changed repeatedly would add any number
  /// of them. The instances made with them live no longer than the current resolution cycle.
  private static let limit = 64

  private let state = Lock(State())

  private struct State {
    var entries: [Entry] = []
    var changes = 0
  }

  private struct Entry {
    /// The slot of the wrapped registration; nil if it has none, and once the slot is deallocated.
    weak var slot: Keeper?
    /// The id of a wrapped registration without a slot, or 0 if there is none; nil for one with a
    /// slot.
    let id: UInt64?
    let registration: Registration

    var isGone: Bool { id == nil && slot == nil }

    func fits(_ wrapped: Registration?) -> Bool {
      if let kept = wrapped?.slot { return slot === kept }
      return id == wrapped?.id ?? 0
    }
  }

  func registration(for decoration: Registration, over wrapped: Registration?) -> Registration {
    while true {
      // Read under no lock: releasing a slot here may deallocate it.
      let (entries, changes) = state.withLock { ($0.entries, $0.changes) }
      if let own = entries.first(where: { $0.fits(wrapped) }) { return own.registration }
      let made = decoration.wrapping(wrapped)
      if let slot = wrapped?.slot, let own = made.slot { slot.addDecorated(own) }
      let isFull = entries.count >= Self.limit
      let present = entries.filter { !$0.isGone && (!isFull || $0.id == nil) }
      let own = Entry(
        slot: wrapped?.slot, id: wrapped?.slot == nil ? wrapped?.id ?? 0 : nil, registration: made)
      let isAdded = state.withLock { state in
        guard state.changes == changes else { return false }
        state.entries = present + [own]
        state.changes += 1
        return true
      }
      if isAdded { return withExtendedLifetime(entries) { made } }
    }
  }
}

extension Found {
  /// Returns itself, or the registration that represents a decoration over what it wraps.
  ///
  /// `outer`: the decorations that wrap it. Through aliases it may wrap itself, which resolving
  /// reports.
  func wrapping(
    asked: Resolver, _ frame: ContextFrame?, _ declared: DeclaredProperty? = nil,
    within outer: [UInt64] = []
  ) -> Found {
    guard registration.path == .other, ownRecipe == nil, frame?.dryRun == nil,
      !outer.contains(registration.id), let wrappings = registration.wrappings
    else { return self }
    registration.noteResolved()
    var wrapped = next(asked: asked, frame, declared)
    for _ in 0..<64 {
      guard let alias = wrapped, alias.registration.aliasTarget != nil else { break }
      wrapped = alias.next(asked: asked, frame)
    }
    // The wrapped registration may itself be a decoration.
    let inner = wrapped?.wrapping(
      asked: asked, frame, declared, within: outer + [registration.id])
    let own = wrappings.registration(for: registration, over: inner?.registration)
    return Found(registration: own, owner: owner, isDouble: isDouble, property: property)
  }
}

extension Registration {
  fileprivate var wrappings: Wrappings? { recipe.isPlain ? nil : recipe.details.wrappings }

  /// Returns the registration that represents this decoration over another.
  fileprivate func wrapping(_ wrapped: Registration?) -> Registration {
    var recipe = recipe
    recipe.details.wrappings = nil
    return Registration(
      key: key, scope: wrapped?.scope ?? .unique, location: location, recipe: recipe,
      options: options)
  }
}
