internal import DIPrimitives

extension Resolver {
  /// The registrations that requests to this container can reach, including nested containers'.
  ///
  /// They are in search order, and within a container in registration order. Hidden registrations
  /// are left out. Inside a sandbox this is the sandbox's view. `registerAllServices` runs first if
  /// it has not run yet.
  public var registrations: [RegistrationInfo] {
    prepareForListing()
    let frame = ContextFrame.current
    let found = core.listedKeys(frame).compactMap { Lookup.findComplete($0, in: core, frame) }
    return TypeNames.telling(apart: found.map(\.registration.key)) {
      found.map { RegistrationInfo($0.listed, container: self) }
    }
  }
}

/// A type of service that only its own functions resolve, and no list or graph contains.
protocol Unlisted {}

/// The type of registrations that mark a group of registrations as set up.
enum GroupMark: Unlisted {}

extension ContainerCore {
  /// Returns the keys of the listed registrations that requests can reach, each once.
  func listedKeys(_ frame: ContextFrame?) -> [ServiceKey] {
    var seen: Set<ServiceKey> = []
    return reachable(frame).filter { !$0.isUnlisted && seen.insert($0.key).inserted }.map(\.key)
  }
}

extension Registration {
  var isUnlisted: Bool { key.type is any Unlisted.Type }
}

/// A registration as seen from a container: its service, its location and its scope.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
  /// The service that it is registered for.
  public let key: ServiceKey
  /// The scope, which decides how long instances are kept.
  public let scope: Scope
  /// The location of the registration.
  public let registeredAt: CodeLocation
  /// The label of the container that holds it.
  public let container: String
  /// Whether it is a test double rather than a registration of production code.
  public let isDouble: Bool
  /// The boundary that the service is behind, such as "network"; nil for most.
  public let boundary: String?
  /// The services that the factory resolves, or nil where they cannot be known without running it.
  public let dependencies: [Dependency]?
  /// The service that an alias made with `implements` refers to.
  package let implementedBy: ServiceKey?
  /// The key's text, distinct from those of other services in the same list.
  private let keyText: String
  /// Whether its factory takes a parameter, which only the program can provide.
  private let needsParameter: Bool
  let resolver: Resolver
  /// Whether it stands for an empty list, and fails its check.
  private var isPlaceholder = false

  init(_ found: Found, container resolver: Resolver) {
    let registration = found.registration
    key = registration.key
    keyText = key.description
    scope = registration.scope
    registeredAt = registration.location
    container = found.owner.label
    isDouble = found.isDouble
    boundary = registration.options.boundary
    dependencies = registration.options.rare.dependencies
    implementedBy = registration.aliasTarget
    needsParameter =
      key.property != nil && (registration.options.takesParameter || registration.isDecoration)
    self.resolver = resolver
  }

  /// Resolves the service once, and throws the diagnosis if that fails.
  ///
  /// The factory runs, as do those of its dependencies. Use it as a parameterised test, where every
  /// registration has a result of its own; with `failingIfEmpty` an empty list fails:
  ///
  /// ```swift
  /// @Test(arguments: Resolver.main.registrations.failingIfEmpty)
  /// func resolves(_ registration: RegistrationInfo) throws { try registration.check() }
  /// ```
  ///
  /// The factory runs on a thread of its own, so that a trap over a missing service can be reported
  /// in the same way; the thread is then suspended for good. If this is called on the main thread,
  /// the factory runs there, and such a failure traps.
  ///
  /// A factory that requires a parameter or arguments is not checked, because only the program
  /// knows what to pass. Resolve such a service in a test of its own.
  public func check(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) {
    let location = CodeLocation(fileID, filePath, line, column)
    if di_is_main_thread() {
      if let error = unexcused(failure(location)) { throw error }
      return
    }
    // Without a frame, work on that thread would be attributed to no test.
    let frame =
      ContextFrame.bound ?? ContextFrame(.plain, parent: ContextFrame.current)
    let result = Lock<ResolutionError?>(nil)
    TrapGuard.run {
      let failure = ContextFrame.$bound.withValue(frame) { self.failure(location) }
      result.withLock { $0 = failure }
    } onTrap: { error in
      result.withLock { $0 = ResolutionError.known(error) }
    }
    if let error = unexcused(result.withLock { $0 }) { throw error }
  }

  /// Returns a failure, unless its cause is only that parameters or arguments were not passed; with
  /// the check that waits, if that is what the service needs.
  func unexcused(_ error: ResolutionError?) -> ResolutionError? {
    guard let error, !isForWantOfParameters(error) else { return nil }
    let isOwn = error.chain.count < 2 && [.needsAwait, .needsMainActor].contains(error.reason)
    return isOwn
      ? error.adding([.fix("Check it with `await`: `try await registration.checkAsync()`.")])
      : error
  }

  /// Whether the service could not be resolved only because parameters or arguments were not
  /// passed.
  func isForWantOfParameters(_ error: ResolutionError) -> Bool {
    guard error.chain.count < 2 else { return false }
    switch error.reason {
    case .missingArgument, .wrongArgument, .severalArguments: return true
    default: return needsParameter && error.reason == .factoryReturnedNil
    }
  }

  /// Resolves the service and discards it, and returns the error if that fails.
  package func failure(_ location: CodeLocation) -> ResolutionError? {
    if isPlaceholder {
      return ResolutionError(
        .other(
          "There is nothing to check: the list of registrations is empty. Register before the "
            + "test's arguments are read, for example in `registerAllServices`."), at: location)
    }
    let request = Request(key, location: location)
    do {
      let made = try Resolution.instance(for: request, args: nil, container: resolver)
      return made == nil ? Resolution.failure(request, container: resolver) : nil
    } catch {
      return ResolutionError.known(error)
    }
  }

  /// The service, its scope, container, boundary and location in one line.
  public var description: String {
    "\(keyText) (\(scope)) in \(container), "
      + (boundary.map { "behind \($0.debugDescription), " } ?? "")
      + "registered at \(registeredAt)"
  }
}

extension Array where Element == RegistrationInfo {
  /// The registrations, or a single one that fails its check if there are none.
  ///
  /// A parameterised test with no arguments would pass without checking anything.
  public var failingIfEmpty: [RegistrationInfo] {
    isEmpty ? [.placeholder] : self
  }
}

extension RegistrationInfo {
  fileprivate static var placeholder: RegistrationInfo {
    let nothing = Registration(
      key: ServiceKey(Never.self), scope: .unique, location: CodeLocation(), maker: .nothing,
      options: Registration.Options())
    let resolver = Resolver()
    resolver.core.rename("nothing")
    var info = RegistrationInfo(
      Found(registration: nothing, owner: resolver.core, isDouble: false), container: resolver)
    info.isPlaceholder = true
    return info
  }
}
