import DICompatibility
import DIContainer
import DITesting
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
      _ = depot.numbered.resolveOnMainActor(1)
    }
    #expect(places == (2...3).map { here(line + $0) })
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
    }
    #expect(places == (2...5).map { here(line + $0) })
  }
}
