import DIContainer
import Testing

private final class Cellar: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

private final class Crate: Sendable {}

extension Cellar {
  fileprivate var crate: Factory<Crate> { self { Crate() } }
  fileprivate var spare: Factory<Crate?> { self { Crate() } }
  fileprivate var numbered: ParameterFactory<Int, Crate> { self { _ in Crate() } }
  fileprivate var display: MainActorFactory<Crate> { self { Crate() } }
  fileprivate var delivery: AsyncFactory<Crate> { self { Crate() } }
  fileprivate var labelled: ParameterFactory<(Int, String), Crate> { self { _, _ in Crate() } }
}

extension Container {
  fileprivate var crate: Factory<Crate> { self { Crate() } }
  fileprivate var spare: Factory<Crate?> { self { Crate() } }
  fileprivate var numbered: ParameterFactory<Int, Crate> { self { _ in Crate() } }
  fileprivate var display: MainActorFactory<Crate> { self { Crate() } }
  fileprivate var delivery: AsyncFactory<Crate> { self { Crate() } }
}

@Suite("A request names the caller's file and line")
struct CallerLocationTests {
  /// Where the requests were made, as the recorder heard them.
  private func places(_ body: () throws -> Void) rethrows -> [String] {
    let recorder = ResolutionRecorder()
    try withRecorder(recorder, operation: body)
    return recorder.events.filter(\.isRequest).compactMap { $0.requestedAt?.description }
  }

  private func here(_ line: UInt) -> String { "\(#fileID):\(line)" }

  @Test("where `@OptionalInjected` names a property")
  func optionalInjected() {
    let line: UInt = #line
    let places = places {
      _ = OptionalInjected<Crate>(\Container.crate)
      _ = OptionalInjected<Crate>(\Container.spare)
      _ = OptionalInjected<Crate>(\Cellar.crate)
      _ = OptionalInjected<Crate>(\Cellar.spare)
    }
    #expect(places == (2...5).map { here(line + $0) })
  }

  @Test("where `@InjectedType` asks by type")
  func injectedType() {
    let container = Resolver()
    let line: UInt = #line
    let places = places {
      _ = InjectedType<Crate>()
      _ = InjectedType<Crate>(container)
    }
    #expect(places == (2...3).map { here(line + $0) })
  }

  @Test("where an injected property is resolved anew")
  func resolvedAnew() {
    var crate = Injected(\Cellar.crate)
    let line: UInt = #line
    let places = places { crate.resolve(reset: .all) }
    #expect(places == [here(line + 1)])
  }

  @Test("where a factory is resolved on an actor")
  @MainActor
  func onActors() {
    let depot = Cellar()
    let line: UInt = #line
    let places = places {
      _ = depot.crate.resolveOnMainActor()
      _ = depot.crate.resolveOnGlobalActor(MainActor.shared)
      _ = depot.numbered.resolveOnMainActor(1)
      _ = depot.numbered.resolveOnGlobalActor(MainActor.shared, parameters: 2)
    }
    #expect(places == (2...5).map { here(line + $0) })
  }

  @Test("where a factory gets several parameters one by one")
  @MainActor
  func oneByOne() throws {
    let depot = Cellar()
    let line: UInt = #line
    let places = try places {
      _ = depot.labelled(1, "tea")
      _ = depot.labelled.resolve(2, "tea")
      _ = try depot.labelled.require(3, "tea")
      _ = depot.labelled.resolveOnMainActor(4, "tea")
      _ = depot.labelled.resolveOnGlobalActor(MainActor.shared, parameters: 5, "tea")
    }
    #expect(places == (2...6).map { here(line + $0) })
  }

  @Test("where `dependency` names a property")
  func dependencies() {
    let line: UInt = #line
    let places = places {
      _ = dependency(\.crate) as Crate
      _ = dependency(\Cellar.crate)
      _ = dependency(\.numbered, parameter: 1) as Crate
      _ = dependency(\Cellar.numbered, parameter: 2)
    }
    #expect(places == (2...5).map { here(line + $0) })
  }

  @Test("where `dependency` names a property of the main actor")
  @MainActor
  func mainActorDependencies() {
    let line: UInt = #line
    let places = places {
      _ = dependency(\.display) as Crate
      _ = dependency(\Cellar.display)
    }
    #expect(places == (2...3).map { here(line + $0) })
  }

  @Test("where `dependency` names an async property")
  func asyncDependencies() async throws {
    let recorder = ResolutionRecorder()
    let line: UInt = #line
    try await withRecorder(recorder) {
      _ = try await dependency(\.delivery) as Crate
      _ = try await dependency(\Cellar.delivery)
    }
    let places = recorder.events.filter(\.isRequest).compactMap { $0.requestedAt?.description }
    #expect(places == (2...3).map { here(line + $0) })
  }
}
