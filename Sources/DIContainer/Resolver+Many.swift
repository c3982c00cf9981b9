internal import DIPrimitives

// All registrations of a type. Which they are:
//
// - the container's own first, in the order made, then those of the containers below it in the
//   order added, depth first; whatever their names;
// - a service that is registered for the type in several ways (under two names, by two containers
//   that nest one, at one `.perRun` site) counts once;
// - a double (what a sandbox or a layer registers) stands in the place of everything that lies
//   below it under its key, as it does for `resolve`, and what a layer takes away is gone;
// - what is being made at the moment is left out, so that one of the services may be composed of
//   all the others;
// - where optionals are asked for and nothing is registered as such, it is what they wrap that
//   counts.
//
// `resolveManyAsync` (Isolation/Resolver+AwaitMany.swift) finds the same and waits for each.

extension ServiceResolver {
  /// All services that are registered for a type, under whatever name; empty if there are none.
  ///
  /// The container's own come first, in the order made, then those of the containers below it,
  /// each once. Traps with a diagnosis when one of them cannot be had; see `requireMany`. If one of
  /// them is async, ask with `resolveManyAsync`.
  ///
  /// - Parameters:
  ///   - type: The type that the services were registered for.
  ///   - args: What each factory gets as arguments.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The instances.
  public func resolveMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [Service] {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try requireMany(type, args: args, at: location)
    } catch {
      trap(error)
    }
  }

  /// All services that are registered for a type; the same as `resolveMany(_:args:)`.
  public func many<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [Service] {
    resolveMany(
      type, args: args, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// All services that are registered for a type, or an error that says why one cannot be had.
  public func requireMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(ResolutionError) -> [Service] {
    try requireMany(
      type, args: args,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The one service for a type, as a list: for views that cannot list several.
  public func requireMany<Service>(
    _ type: Service.Type, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> [Service] {
    try optional(type, name: nil, args: args, at: location).map { [$0] } ?? []
  }
}

extension Resolver {
  /// All services that are registered for a type; a requirement of `ServiceResolver`.
  public func requireMany<Service>(
    _ type: Service.Type, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> [Service] {
    try requireMany(type, under: nil, args: args, at: location)
  }

  /// All services that are registered for a type, under one name if it is given.
  func requireMany<Service>(
    _ type: Service.Type, under name: Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> [Service] {
    prepareForListing()
    do {
      // A step of an async resolution goes on as part of it.
      if ResolutionStack.isEmpty, let link = AsyncLink.current {
        return try link.onThread { try all(of: type, under: name, args: args, at: location) }
      }
      return try all(of: type, under: name, args: args, at: location)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  private func all<Service>(
    of type: Service.Type, under name: Name?, args: Any?, at location: CodeLocation
  ) throws -> [Service] {
    let frame = Many.answering(type, at: location, asked: self)
    let all = Many(of: type, under: name, in: core, frame).found
    if all.isEmpty, let optional = type as? any OptionalType.Type {
      return try optional.all(under: name, args: args, at: location, asked: self) as! [Service]
    }
    do {
      return try Engine.inOneCycle {
        try all.compactMap { found in
          let request = Request(type, name: found.registration.key.name, location: location)
          if let double: Service = try found.standIn(request, asked: self, frame) {
            return double
          }
          return try found.produce(request, args: args, asked: self)
        }
      }
    } catch let error as ResolutionError {
      throw error.asOneOfMany(metatypeText(type))
    }
  }
}

// MARK: - Static twins: they ask the root

extension Resolver {
  /// All services that the root has for a type; see `resolveMany(_:args:)`.
  public static func resolveMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [Service] {
    started.resolveMany(
      type, args: args, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// All services that the root has for a type; the same as `resolveMany(_:args:)`.
  public static func many<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [Service] {
    started.resolveMany(
      type, args: args, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// All services that the root has for a type, or an error that says why one cannot be had.
  public static func requireMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(ResolutionError) -> [Service] {
    try started.requireMany(
      type, args: args, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// The search for all registrations of a type.
struct Many {
  private let type: Any.Type
  private let asked: ContainerCore
  private let frame: ContextFrame?
  private let underWay: Set<UInt64>
  private var components: Set<Component> = []
  private(set) var found: [Found] = []

  /// What counts once: a registration, or a site that several containers share.
  private enum Component: Hashable {
    case registration(UInt64)
    case site(ObjectIdentifier)
  }

  init(
    of type: Any.Type, under name: Resolver.Name? = nil, in asked: ContainerCore,
    _ frame: ContextFrame?
  ) {
    self.type = type
    self.asked = asked
    self.frame = frame
    underWay = AsyncLink.registrations
      .union(ResolutionStack.steps().map { di_running_registration($0) })
    let candidates = asked.answering(frame).flatMap { core in
      own(core).map { (registration: $0, owner: core) }
    }
    var answers: [ServiceKey: Found?] = [:]
    for (registration, owner) in candidates {
      let key = registration.key
      if let name, key.name != name { continue }
      let answer = answers[key] ?? Lookup.find(key.rawKey, in: asked, frame)
      answers[key] = .some(answer)
      // A layer took it away for all that it covers.
      guard let answer else { continue }
      if answer.owner !== owner, hidesAll(answer) { continue }
      add(registration, owner)
    }
  }

  /// Whether what answers for a key is a double, in the place of all that lies below it.
  private func hidesAll(_ answer: Found) -> Bool {
    if answer.registration.options.isDouble { return true }
    guard let frame, frame.hasLayers else { return false }
    // A layer, or what it nests: neither the root's nor what the container nests itself.
    return frame.isLayer(answer.owner)
      || !frame.rootNests(answer.owner) && !frame.nests(answer.owner, in: asked)
  }

  /// The frame that a request for all of a type is answered in, once what is wrong with it is
  /// reported.
  static func answering(
    _ type: Any.Type, at location: CodeLocation, asked: Resolver
  ) -> ContextFrame? {
    withUnsafePointer(to: Request(type, name: nil, location: location)) {
      ContextFrame.answering($0, asked: asked)
    }
  }

  /// A container's registrations for the type, seen through the sandboxes.
  private func own(_ core: ContainerCore) -> [Registration] {
    var own: [Registration] = []
    var hidden: Set<ServiceKey> = []
    for registry in core.registries(frame) {
      let added = registry.all(of: type).filter { !hidden.contains($0.key) }
      own = added + own
      hidden.formUnion(added.map(\.key))
    }
    return own
  }

  private mutating func add(_ registration: Registration, _ owner: ContainerCore) {
    guard !registration.isRemoval else { return }
    var target = registration
    var followed: Set<UInt64> = []
    while let key = target.aliasTarget {
      // An alias for what was taken away, or for itself, stands for nothing.
      guard followed.insert(target.id).inserted,
        let next = Lookup.find(key.rawKey, in: asked, frame)
      else { return }
      target = next.registration
    }
    guard !underWay.contains(target.id) else { return }
    var component = Component.registration(target.id)
    if let slot = target.slot, target.scope.kind.isPerSite {
      component = .site(ObjectIdentifier(slot))
    }
    guard components.insert(component).inserted else { return }
    found.append(frame.found(registration, owner))
  }
}
