#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The doubles that replace the services of a test, and the services that may be live.
final class SolitaryDoubles: Sendable {
  private struct State {
    var made: [DoubleLedger.Key: KnownDouble] = [:]
    var missing: [(service: FramePolicy.LiveService, location: CodeLocation)] = []
    var reached: Set<ObjectIdentifier> = []
  }

  /// The doubles by service; nil if it only lists live services.
  private let types: [ObjectIdentifier: any TestDouble.Type]?
  private let real: [Any.Type]
  private let state = Lock(State())

  init(_ doubles: [any TestDouble.Type]?, real: [Any.Type]) {
    types = doubles.map {
      Dictionary($0.map { (ObjectIdentifier(Self.service(of: $0)), $0) }) { $1 }
    }
    self.real = real
  }

  private static func service<Double: TestDouble>(of type: Double.Type) -> Any.Type {
    Double.Doubled.self
  }

  func attach(to frame: ContextFrame) {
    _ = frame.extra(SolitaryDoubles.self) { self }
  }

  func policy(_ policy: FramePolicy = FramePolicy()) -> FramePolicy {
    var policy = policy
    if types != nil {
      policy.fallbacks.append(Fallback { self.double(for: $0) })
      policy.standIns.append(Fallback { self.standIn(for: $0) })
    }
    policy.hearsLive = [{ self.hear($0, at: $1) }]
    policy.mayBeLive.append { [self] in isReal($0.key) }
    return policy
  }

  private func isReal(_ key: ServiceKey) -> Bool { real.contains(where: key.isRequest(for:)) }

  /// The ones in force in the current context, innermost first.
  private static var current: [SolitaryDoubles] {
    ContextFrame.current?.chain.compactMap { $0.extra(SolitaryDoubles.self) } ?? []
  }

  // MARK: Doubles

  private func double(for key: ServiceKey) -> Any? {
    Self.current.contains { $0.isReal(key) } ? nil : standIn(for: key)
  }

  /// Returns the double of a service, even if that may be live.
  private func standIn(for key: ServiceKey) -> Any? {
    guard let type = types?[ObjectIdentifier(key.type)] ?? types?[ObjectIdentifier(key.serviceType)]
    else { return nil }
    return asDoubled(type, key)
  }

  private func asDoubled<Double: TestDouble>(_ type: Double.Type, _ key: ServiceKey) -> Any {
    Double.asDoubled(made(type, key))
  }

  /// Returns the double of a type, and makes it if needed; nil if it is not in the list.
  func double<Double: TestDouble>(_ type: Double.Type, name: Resolver.Name?) -> Double? {
    guard types?[ObjectIdentifier(Double.Doubled.self)] == type else { return nil }
    return made(type, ServiceKey(Double.Doubled.self, name: name))
  }

  private func made<Double: TestDouble>(_ type: Double.Type, _ service: ServiceKey) -> Double {
    let key = DoubleLedger.Key(type: ObjectIdentifier(type), name: service.name)
    if let made = state.withLock({ $0.made[key]?.double }) as? Double { return made }
    // Made and released under no lock, because that runs the user's code.
    let new = Double()
    let known = KnownDouble(double: new, stubs: DoubleStubs.bind(new, to: service, at: nil))
    return state.withLock { state in
      if let first = state.made[key]?.double as? Double { return first }
      state.made[key] = known
      return new
    }
  }

  /// The doubles that were made.
  var doubles: [KnownDouble] { state.withLock { Array($0.made.values) } }

  // MARK: Live services

  private func hear(_ service: FramePolicy.LiveService, at location: CodeLocation) {
    let key = service.key
    for type in real where key.isRequest(for: type) {
      state.withLock { _ = $0.reached.insert(ObjectIdentifier(type)) }
    }
    // Where there are several, the innermost with a list reports missing doubles.
    let current = Self.current
    guard types != nil, !service.isWrapped, !current.contains(where: { $0.isReal(key) }),
      current.first(where: { $0.types != nil }) === self
    else { return }
    state.withLock { state in
      if state.missing.contains(where: { $0.service.key == service.key }) { return }
      state.missing.append((service, location))
    }
  }

  /// Reports services without a double, and services that should have been live but were not
  /// resolved.
  func report(to frame: ContextFrame, areAllReached: Bool) {
    let state = state.withLock { $0 }
    if let first = state.missing.first { reportMissing(state.missing, first.location, to: frame) }
    for type in real {
      let isReached = state.reached.contains(ObjectIdentifier(type))
      let headline = "`\(ServiceKey(type))` was to be real, but no live one was resolved."
      guard areAllReached, !isReached else {
        SharedSetUp.current?.noteUnmatched(isReached, headline, frame)
        continue
      }
      report(
        Diagnosis(
          headline: headline,
          fixes: [
            "Remove it from `real:`, or check that the code under test resolves it.",
            "A double that is registered for it comes first.",
            "Where the test wires the app, have it do so in `Resolver.production { … }`: all else "
              + "that a test registers is a double.",
          ]), to: frame, orAt: CodeLocation(line: 0))
    }
  }

  private func reportMissing(
    _ missing: [(service: FramePolicy.LiveService, location: CodeLocation)],
    _ location: CodeLocation, to frame: ContextFrame
  ) {
    let keys = missing.map(\.service.key)
    let services = keys.map(\.serviceType).reduce(into: [ServiceKey]()) { services, type in
      let service = ServiceKey(type)
      if !services.contains(service) { services.append(service) }
    }
    // A command is for one target, which its module is called after.
    let protocols = Dictionary(
      grouping: services.filter { $0.description.hasPrefix("any ") }.compactMap { service in
        let name = String(reflecting: service.serviceType).split(separator: "any ").joined()
          .prefix { $0 != "<" }.split(separator: ".", maxSplits: 1)
        return name.count == 2 && !name[1].contains("(") ? (target: name[0], name: name[1]) : nil
      }, by: \.target)
    let types = services.map(\.sourceText).joined(separator: ", ")
    let live =
      ProcessHooks.current.runsOneTestAtATime()
      ? "`override var real: [Any.Type] { [\(types)] }`." : "`.sociable(real: \(types))`."
    let commands = protocols.sorted { $0.key < $1.key }.map { target, protocols in
      "Write the doubles: `swift package --allow-writing-to-package-directory doubles "
        + "--target \(target)" + protocols.map { " --protocol \($0.name)" }.joined() + "`."
    }
    report(
      Diagnosis(
        headline: keys.count == 1
          ? "A service has no double, and was live."
          : "\(keys.count) services have no double, and were live.",
        facts: missing.map {
          (
            "live:",
            "`\($0.service.key)`, registered at \($0.service.registeredAt), "
              + "requested at \($0.location)"
          )
        },
        fixes: commands + [
          (commands.isEmpty ? "Let" : "Or let") + " \(keys.count == 1 ? "it" : "them") be live: "
            + live
        ]),
      to: frame, orAt: location)
  }

  private func report(
    _ diagnosis: Diagnosis, to frame: ContextFrame, orAt location: CodeLocation
  ) {
    let place = frame.opener.location
    frame.report(
      DiagnosticIssue(
        text: diagnosis.text, severity: .error, location: place.line == 0 ? location : place))
  }
}

extension ContextFrame {
  /// Returns the stubs of a double that is registered, or was made, in one of the current scopes.
  static func knownStubs(of double: Any) -> [NamedStubLog]? {
    guard type(of: double) is AnyClass, let frames = current?.chain else { return nil }
    let object = double as AnyObject
    // Compared under no lock: these may be the last references.
    return frames.lazy.flatMap {
      ($0.extra(DoubleLedger.self)?.doubles ?? []) + ($0.extra(SolitaryDoubles.self)?.doubles ?? [])
    }.first { $0.double as AnyObject === object }?.stubs
  }
}
#endif
