/// A registration similar to a requested key.
package struct NearMiss: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The type is registered under another name, or with or without one.
    case otherName
    /// Another type is registered that conforms to, or inherits from, the requested one.
    case otherType
    /// Another type of a similar name is registered.
    case similarType
    /// The service is registered in a container that the requested one does not reach.
    case otherContainer(String)
  }

  let kind: Kind
  let key: ServiceKey
  let location: CodeLocation
}

extension NearMiss {
  private static let shown = 3

  /// Returns registrations similar to a missing key, the closest first.
  ///
  /// - Parameters:
  ///   - key: The requested key.
  ///   - asked: The requested container.
  ///   - withoutDoubles: Whether only production's registrations count.
  /// - Returns: At most three near misses.
  static func find(
    for key: ServiceKey, asked: Resolver, withoutDoubles: Bool = false
  ) -> [NearMiss] {
    let frame = ContextFrame.current
    func counts(_ registration: Registration) -> Bool {
      !registration.isRemoval && registration.options.isRegistered
        && !(withoutDoubles && registration.options.isDouble)
    }
    var seen: Set<ServiceKey> = []
    var misses: [(rank: Int, miss: NearMiss)] = []
    for registration in asked.core.reachable(frame).filter(counts) {
      let candidate = registration.key
      guard let (rank, kind) = compare(candidate, to: key), seen.insert(candidate).inserted
      else { continue }
      // A hidden or removed registration does not count, even if a nested container has it.
      let answer =
        withoutDoubles
        ? registration : Lookup.answer(candidate.rawKey, in: asked.core, frame)?.registration
      guard let answer else { continue }
      misses.append((rank, NearMiss(kind: kind, key: candidate, location: answer.location)))
    }
    if misses.isEmpty, let elsewhere = elsewhere(key, asked: asked, frame, counts) {
      misses.append((0, elsewhere))
    }
    misses.sort { ($0.rank, $0.miss.key.description) < ($1.rank, $1.miss.key.description) }
    return misses.prefix(shown).map(\.miss)
  }

  private static func elsewhere(
    _ key: ServiceKey, asked: Resolver, _ frame: ContextFrame?,
    _ counts: (Registration) -> Bool
  ) -> NearMiss? {
    let root = Resolver.root
    for other in [root, Resolver.main] where other !== asked {
      if let found = Lookup.find(key.rawKey, in: other.core, frame),
        counts(found.registration)
      {
        return NearMiss(
          kind: .otherContainer(other.core.label), key: key,
          location: found.registration.location)
      }
    }
    return nil
  }

  private static func compare(_ candidate: ServiceKey, to key: ServiceKey) -> (Int, Kind)? {
    if candidate.type == key.type {
      return candidate.name == key.name ? nil : (nameRank(candidate, key), .otherName)
    }
    guard candidate.name == key.name else { return nil }
    if conforms(candidate.type, to: key.type) { return (2, .otherType) }
    let (one, other) = (bareName(candidate.type), bareName(key.type))
    if one == other { return (3, .similarType) }
    return nil
  }

  private static func nameRank(_ candidate: ServiceKey, _ key: ServiceKey) -> Int {
    candidate.name?.rawValue.lowercased() == key.name?.rawValue.lowercased() ? 0 : 1
  }

  private static func bareName(_ type: Any.Type) -> String {
    if let optional = type as? any OptionalType.Type { return bareName(optional.wrapped) }
    return "\(type)".lowercased()
  }
}
