#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A fixture is built once for a suite, the run or a test, when somebody first asks. Its builder is
// a registration in a layer of its own, and the kernel's keeper does the rest: others wait, whoever
// builds may ask for another fixture, cycles are found. The layer's frame stands outside the frames
// of tests, inside those of the fixtures that surround it. In each test, a double of the service
// leads there.

/// How long a fixture is kept.
public enum FixtureLifetime: Sendable {
  /// As long as the tests of the suite run that has the trait, nested suites included; in XCTest,
  /// as long as those of the class.
  case suite
  /// As long as any test runs that has the trait.
  case run
}

/// The declaration of a fixture by a trait.
struct FixturePlan: Sendable {
  /// The identity of a fixture: the line, and the service that it is for.
  struct ID: Hashable, Sendable {
    let location: CodeLocation
    let service: ServiceKey
  }

  let id: ID
  /// Nil for one of each test.
  let lifetime: FixtureLifetime?
  /// Makes the fixture, inside a frame; nil for one of a test, which is built in that.
  let make: @Sendable (_ parent: ContextFrame?) -> any Fixture
}

/// A fixture of a suite, the run or a test.
protocol Fixture: AnyObject, Sendable {
  var plan: FixturePlan.ID { get }
  var frame: ContextFrame? { get }
  /// Registers doubles that return it.
  func register(in container: Resolver)
  /// Whether it was built and is not torn down yet.
  var isBuilt: Bool { get }
  /// Tears it down if it was built.
  func end() async throws
  /// Receives a live service that its builder resolved.
  func noteLive(_ key: ServiceKey, of core: ContainerCore, at request: CodeLocation)
}

/// A fixture of one type.
final class FixtureOf<Kept: Sendable>: Fixture {
  let plan: FixturePlan.ID
  let frame: ContextFrame?
  private let layer: Resolver
  private let forward: @Sendable (Resolver, @escaping @Sendable () throws -> Kept) -> Void
  private let tearDown: @Sendable (Kept) async throws -> Void
  private let built = Lock<Kept?>(nil)
  private let faults = Lock<[String]>([])

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - plan: Its place and service.
  ///   - parent: The frame that it is built in; an inner nil is none, an outer nil the test's.
  ///   - build: Builds it, or returns why not; is called once.
  ///   - forward: Registers a double that returns what the closure does.
  ///   - tearDown: Tears it down.
  init(
    _ plan: FixturePlan.ID, in parent: ContextFrame??,
    build: @escaping @Sendable (FixtureOf) -> Kept,
    forward: @escaping @Sendable (Resolver, @escaping @Sendable () throws -> Kept) -> Void,
    tearDown: @escaping @Sendable (Kept) async throws -> Void
  ) {
    (self.plan, self.forward, self.tearDown) = (plan, forward, tearDown)
    layer = Resolver.layer(at: plan.location)
    frame = parent.map { [layer] parent in
      var policy = FramePolicy()
      policy.hearsLive = [
        { service, location in
          guard let owner = service.owner else { return }
          FixtureScope.builder?.noteLive(service.key, of: owner, at: location)
        }
      ]
      return ContextFrame(
        .layer, parent: parent, installed: layer, caches: .all, policy: PolicyBox(policy),
        name: "fixture", location: plan.location, report: IssueReporter.report)
    }
    guard let frame else {
      register(build)
      return
    }
    // In no test's sandbox: the layer's registrations are for all tests, and for the builders of
    // the fixtures inside.
    ContextFrame.$bound.withValue(frame) {
      register(build)
      register(in: layer)
    }
  }

  private func register(_ build: @escaping @Sendable (FixtureOf) -> Kept) {
    layer.register(Kept.self) { [unowned self] in
      let kept = build(self)
      built.withLock { $0 = kept }
      FixtureScope.built(self)
      return kept
    }.scope(.cached)
  }

  var isBuilt: Bool { built.withLock { $0 != nil } }

  func register(in container: Resolver) {
    FixtureScope.noteRegistered(at: plan.location)
    forward(container) { [weak self, plan] in
      // A task that the suite does not await may still hold the fixture.
      guard let self, self.frame?.hasEnded != true else { throw FixtureError.ended(plan) }
      return try self.kept()
    }
  }

  /// Returns what is kept; the first caller builds it.
  func kept() throws -> Kept {
    guard let frame else { return try layer.require(Kept.self) }
    let asker = FixtureScope.asker ?? ContextFrame.current
    return try FixtureScope.$asker.withValue(asker) {
      try ContextFrame.$bound.withValue(frame) { try layer.require(Kept.self) }
    }
  }

  func end() async throws {
    defer { frame?.end() }
    guard let kept = built.withLock({ exchange(&$0, with: nil) }) else { return }
    do {
      try await ContextFrame.$bound.withValue(frame ?? ContextFrame.bound) {
        try await tearDown(kept)
      }
    } catch {
      throw FixtureError(
        description: Diagnosis(
          headline: "A fixture, `\(plan.service)`, could not be torn down: \(error)",
          facts: [("fixture:", "\(plan.location)")]
        ).text)
    }
  }

  // MARK: What is a single test's

  /// Notes a live service that the builder resolved, if the asking test has a double for it.
  func noteLive(_ key: ServiceKey, of core: ContainerCore, at request: CodeLocation) {
    guard let found = FixtureScope.asker?.served(key, by: core), found.isDouble else { return }
    let text = Diagnosis(
      headline: "A kept fixture, `\(plan.service)`, was built with `\(key)`, for which a single "
        + "test has a double.",
      facts: [
        ("fixture:", "\(plan.location)"), ("requested:", "\(request)"),
        ("double:", "\(found.registration.location)"),
      ],
      fixes: [
        "Build the fixture from what all its tests share, or pass that to it.",
        "Or make it anew for each test: `.each`.",
      ]
    ).text
    faults.withLock { $0.append(text) }
  }

  /// Returns what a builder made or threw; an error if it resolved something of a single test.
  func checked<Value>(_ built: Result<Value, any Error>) -> Result<Value, any Error> {
    built.mapError(failure).flatMap { value in
      faults.withLock { $0.first }.map { .failure(FixtureError(description: $0)) }
        ?? .success(value)
    }
  }
}

extension FixtureOf {
  /// Returns the error of a builder as the fixture's, unless it says itself what failed.
  private func failure(_ error: any Error) -> any Error {
    if error is ResolutionError || error is CancellationError { return error }
    // The innermost request is for the fixture's own registration; an async builder has none.
    let service = Chain.currentLinks.dropLast().last?.key ?? plan.service
    let text = Diagnosis(
      headline: "A \(frame == nil ? "" : "kept ")fixture, `\(service)`, could not be built: "
        + "\(error)",
      facts: [("fixture:", "\(plan.location)")],
      fixes: [
        frame == nil
          ? "Handle the error in its builder, which runs for each test that asks."
          : "Handle the error in its builder, which runs once: each test that asks gets this error."
      ]
    ).text
    return FixtureError(description: text, cause: error)
  }
}

/// The result of a builder, which is under way if that is async.
///
/// Unchecked: tests that share a fixture share its value, and whether it may be used from several
/// threads is for them to say, as of any service.
struct BuiltFixture<Value, Built>: @unchecked Sendable, NamedInTexts {
  let built: Built

  // It stands in chains of requests.
  static var nameInTexts: String { "\(describe(Value.self)) (fixture)" }
}

/// The reason that a fixture cannot be used or torn down.
struct FixtureError: DiagnosedError, CustomStringConvertible {
  let description: String
  /// The error of the builder, if that is it.
  var cause: (any Error)?

  /// The error of work that asks after the suite or the run is over.
  static func ended(_ plan: FixturePlan.ID) -> FixtureError {
    FixtureError(
      description: Diagnosis(
        headline: "A fixture, `\(plan.service)`, was requested after it was torn down.",
        facts: [("fixture:", "\(plan.location)")],
        fixes: ["Let the test await the work that it starts."]
      ).text)
  }
}

extension ContextFrame {
  /// Returns the registration that serves a key, or else the declaration of a property.
  ///
  /// A container that is not in use yet, such as a layer made by hand, reaches services that were
  /// resolved through others, but has served no request itself.
  func served(_ key: ServiceKey, by core: ContainerCore) -> Found? {
    let found =
      Lookup.find(key, in: core, self)
      ?? (key.property == nil ? nil : Lookup.find(key, .declaration, in: core, self))
    guard let found, found.owner === core || rootReaches(core) else { return nil }
    return found
  }
}
#endif
