// The circumstances of a request that nothing is registered for.

extension ResolutionError {
  static func notRegistered(_ request: Request, container: Resolver) -> ResolutionError {
    let advice = Tests.delegate?.advice(onMissing: request, container: container) ?? []
    let misses = NearMiss.find(for: request.key, container: container)
    // What comes close is the likelier reason.
    let started = misses.isEmpty ? started(elsewhereThan: request, container: container) : nil
    return ResolutionError(
      .notRegistered, request, container: container,
      circumstances: misses.map { .close($0) } + advice + (started.map { [.started($0)] } ?? []))
  }

  /// Returns the place where `registerAllServices` ran; nil if the container reaches none of its
  /// registrations, or any by the request's module.
  ///
  /// Several modules of a process may conform `Resolver` to `ResolverRegistering`, with no
  /// diagnostic of the compiler if none of them imports another, and the runtime finds one:
  /// registrations of the others are never made. SwiftPM links all test targets of a package into
  /// one process.
  private static func started(
    elsewhereThan request: Request, container: Resolver
  ) -> CodeLocation? {
    let ids = Startup.registered
    guard !ids.isEmpty else { return nil }
    let all = container.core.reachable(ContextFrame.current)
    if all.contains(where: { $0.location.module == request.location.module }) { return nil }
    return all.filter { ids.contains($0.id) }.min { $0.id < $1.id }?.location
  }
}

// MARK: - Similar registrations

extension NearMiss {
  private static let shown = 3

  /// Returns registrations similar to a missing key, the closest first.
  ///
  /// - Parameters:
  ///   - key: The requested key.
  ///   - container: The requested container.
  /// - Returns: At most three near misses.
  package static func find(for key: ServiceKey, container: Resolver) -> [NearMiss] {
    let frame = ContextFrame.current
    var seen: Set<ServiceKey> = []
    var misses: [(rank: Int, miss: NearMiss)] = []
    for registration in container.core.reachable(frame).filter(\.registersService) {
      // An alias of the missing service needs that itself.
      if registration.aliasTarget == key { continue }
      let candidate = registration.key
      guard let (rank, mismatch) = compare(candidate, to: key), seen.insert(candidate).inserted
      else { continue }
      // A hidden or removed registration does not count, even if a nested container has it.
      let found = Lookup.findComplete(candidate, in: container.core, frame)
      guard let result = found?.registration else { continue }
      misses.append((rank, NearMiss(mismatch: mismatch, key: candidate, location: result.location)))
    }
    if misses.isEmpty, let elsewhere = elsewhere(key, container: container, frame) {
      misses.append((0, elsewhere))
    }
    misses.sort { ($0.rank, $0.miss.key.description) < ($1.rank, $1.miss.key.description) }
    return misses.prefix(shown).map(\.miss)
  }

  /// Returns what has the type and name in the root, in `main`, or in another container that the
  /// test registered in.
  private static func elsewhere(
    _ key: ServiceKey, container: Resolver, _ frame: ContextFrame?
  ) -> NearMiss? {
    let changed = frame?.sandboxes.flatMap { $0.views.map(\.core) } ?? []
    for other in [Resolver.root.core, Resolver.main.core] + changed where other !== container.core {
      let found = other.reachable(frame).first {
        $0.registersService && $0.key.type == key.type && $0.key.name == key.name
      }
      if let found {
        return NearMiss(
          mismatch: .otherContainer(other.label), key: found.key, location: found.location)
      }
    }
    return nil
  }

  /// Returns how far a key is from the requested one, and how it differs; nil if it is not close.
  private static func compare(_ candidate: ServiceKey, to key: ServiceKey) -> (Int, Mismatch)? {
    guard candidate.name == key.name else {
      return candidate.type == key.type ? (nameDistance(candidate, key), .otherName) : nil
    }
    if candidate == key { return nil }
    let isFit = conforms(candidate.type, to: key.type)
    if isFit, candidate.property == nil, key.property == nil { return (ofOtherType, .otherType) }
    let (one, other) = (parts(of: candidate.type), parts(of: key.type))
    return isFit || conforms(key.type, to: candidate.type) || one.isSubset(of: other)
      || other.isSubset(of: one) ? (ofOtherType + 1, .similarType) : nil
  }

  /// The distance of registrations under other types: any name of the same type is closer.
  private static let ofOtherType = 1_000

  /// The number of letters to insert or remove, whatever their case.
  private static func nameDistance(_ candidate: ServiceKey, _ key: ServiceKey) -> Int {
    func letters(_ key: ServiceKey) -> Substring {
      (key.name?.rawValue ?? "").lowercased().prefix(100)
    }
    return letters(candidate).difference(from: letters(key)).count
  }

  /// The names that a type consists of, several for a composition.
  ///
  /// What types of one purpose may differ in counts for nothing: case, being an optional or a list,
  /// a function's attributes and effects, and what a protocol's associated types are.
  private static func parts(of type: Any.Type) -> Set<String> {
    if let optional = type as? any OptionalType.Type { return parts(of: optional.wrapped) }
    if let list = type as? any ListType.Type { return parts(of: list.element) }
    let name = "\(type)".lowercased()
      .replacing(/@\w+(\(\w+\))? | (async|throws(\([^)]*\))?)(?= )|^any |<self\..*>/, with: "")
    return Set(name.split(separator: " & ").map { String($0) })
  }
}
