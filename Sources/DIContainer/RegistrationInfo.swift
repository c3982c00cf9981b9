internal import DIPrimitives

extension Resolver {
  /// What this container can answer: its own registrations and those of the containers below it.
  ///
  /// In search order, and within a container in the order in which they were made. Registrations
  /// that others hide are left out. Inside a sandbox this is the sandbox's view.
  /// `registerAllServices` runs first, if it has not run yet.
  public var registrations: [RegistrationInfo] {
    prepareForListing()
    let frame = ContextFrame.current
    var seen: Set<ServiceKey> = []
    var infos: [RegistrationInfo] = []
    for registration in core.reachable(frame)
    where registration.key.type != LoadedProperty.self {
      guard seen.insert(registration.key).inserted,
        let found = Lookup.answer(registration.key.rawKey, in: core, frame)
      else { continue }
      infos.append(RegistrationInfo(found.listed(asked: self, frame), asked: self))
    }
    return TypeNames.telling(apart: infos.map(\.key)) { infos.map(\.named) }
  }

  /// Has everything registered that registers itself, before the registrations are looked through.
  func prepareForListing() {
    Startup.runIfNeeded()
    core.factories.prepareLate(self, core)
  }
}

/// A registration, as seen from a container: of what, where, and how long instances are kept.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
  /// The service that it is registered for.
  public let key: ServiceKey
  /// How long instances are kept, and by whom.
  public let scope: Scope
  /// Where the registration was made.
  public let registeredAt: CodeLocation
  /// The container that holds it.
  public let container: String
  /// Whether a test put it there: it is not what production set up.
  public let isDouble: Bool
  /// What the factory asks for, or nil where that cannot be known without running it.
  public let dependencies: [Dependency]?
  /// The service that an alias made with `implements` stands for.
  public let implementedBy: ServiceKey?
  let isLeftOutOfDryRuns: Bool
  /// The key in words that tell it from those in one list with it.
  private var keyText: String?
  /// Whether its factory takes a parameter, which nobody but the program knows.
  private let needsParameter: Bool
  let asked: Resolver
  private let resolveAny: @Sendable (Resolver, CodeLocation) throws -> Void

  init(_ found: Found, asked: Resolver) {
    let registration = found.registration
    key = registration.key
    scope = registration.scope
    registeredAt = registration.location
    container = found.owner.label
    isDouble = found.isDouble
    dependencies = registration.options.dependencies
    implementedBy = registration.aliasTarget
    isLeftOutOfDryRuns = registration.options.isLeftOutOfDryRuns
    needsParameter = registration.options.factory?.needsParameter ?? false
    self.asked = asked
    // What a registration says never changes.
    let check = Unchecked(registration)
    resolveAny = { resolver, location in
      try check.value.resolveAny(resolver, location)
    }
  }

  /// Resolves the service once, and throws the diagnosis if it cannot be had.
  ///
  /// The factory runs, with all that it asks for. Use it as a parameterised test, where every
  /// registration is a result of its own; `failingIfEmpty` has an empty list fail:
  ///
  /// ```swift
  /// @Test(arguments: Resolver.main.registrations.failingIfEmpty)
  /// func resolves(_ registration: RegistrationInfo) throws { try registration.check() }
  /// ```
  ///
  /// The factory runs on a thread of its own, so that a trap over a missing service can be reported
  /// in the same way; the thread is then parked for good. If this is called on the main thread, the
  /// factory runs there, and such a failure traps.
  ///
  /// A factory that cannot do without a parameter or arguments is not checked: only the program
  /// knows what to pass. Ask for such a service in a test of its own.
  public func check(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if di_is_main_thread() {
      if let error = unexcused(failure(location)) { throw error }
      return
    }
    // Without a frame, work on that thread would seem to belong to no test.
    let frame = ContextFrame.bound ?? ContextFrame(.recorder, parent: ContextFrame.current)
    let result = Lock<ResolutionError?>(nil)
    Errand.run {
      let failure = ContextFrame.$bound.withValue(frame) { self.failure(location) }
      result.withLock { $0 = failure }
    } hasGivenUp: { error in
      result.withLock { $0 = error }
    }
    if let error = unexcused(result.withLock { $0 }) { throw error }
  }

  /// A failure, unless it comes from asking for the service without what it needs to be passed.
  private func unexcused(_ error: ResolutionError?) -> ResolutionError? {
    error.flatMap { isForWantOfParameters($0) ? nil : $0 }
  }

  /// Whether a failure to resolve the service says no more than that something has to be passed.
  func isForWantOfParameters(_ error: ResolutionError) -> Bool {
    guard error.chain.count < 2 else { return false }
    switch error.reason {
    case .missingArgument, .wrongArgument, .severalArguments: return true
    default: return needsParameter && error.reason == .factoryReturnedNil
    }
  }

  /// Resolves the service and lets go of it.
  func failure(_ location: CodeLocation) -> ResolutionError? {
    do {
      try resolveAny(asked, location)
      return nil
    } catch {
      return ResolutionError.known(error)
    }
  }

  fileprivate var named: RegistrationInfo {
    guard TypeNames.tells(key.type) else { return self }
    var info = self
    info.keyText = key.description
    return info
  }

  /// The service, its scope, container and place in a line.
  public var description: String {
    "\(keyText ?? key.description) (\(scope)) in \(container), registered at \(registeredAt)"
  }
}

extension Array where Element == RegistrationInfo {
  /// The registrations, or one that fails its check if there are none.
  ///
  /// A parameterised test with no arguments would pass without having looked at anything.
  public var failingIfEmpty: [RegistrationInfo] {
    isEmpty ? [.nothing] : self
  }
}

extension RegistrationInfo {
  /// Stands for an empty list: it fails its check.
  fileprivate static var nothing: RegistrationInfo { RegistrationInfo(Nothing.self) }

  private enum Nothing {}

  private init(_ nothing: Nothing.Type) {
    key = ServiceKey(Never.self)
    scope = .unique
    registeredAt = CodeLocation()
    container = "nothing"
    isDouble = false
    dependencies = nil
    implementedBy = nil
    isLeftOutOfDryRuns = true
    needsParameter = false
    asked = Resolver.main
    resolveAny = { _, location in
      throw ResolutionError(
        .other(
          "There is nothing to check: the list of registrations is empty. Register before the "
            + "test's arguments are read, for example in `registerAllServices`."), at: location)
    }
  }
}
