import DIContainer
import DITesting
import Testing

private final class Desk: Sendable {
  let label: String
  init(_ label: String) { self.label = label }
}

private protocol Lamp: Sendable {}
private struct WallLamp: Lamp {}
private struct DeskLamp: Lamp {}

private final class Office: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}

  var desk: AsyncFactory<Desk> { self { Desk("declared") } }

  func autoRegister() {
    let resolver = manager.resolver
    resolver.register { WallLamp() }.implements((any Lamp).self)
    resolver.register(name: "desk") { DeskLamp() as any Lamp }
    resolver.registerAsync(factory: { Desk("automatic") })
    desk.register { Desk("automatic") }
  }

  /// A container that was used and then reset, seen as one by type.
  ///
  /// `autoRegister` has yet to run again, and whoever asks does not have the container at hand.
  static func reset(_ body: (Resolver) throws -> Void) throws {
    let office = Office()
    _ = office.desk
    office.manager.reset()
    try withExtendedLifetime(office) { try body(office.manager.resolver) }
  }
}

@Suite("autoRegister runs before whatever comes first:")
struct AutoRegisterLateTests {
  @Test("a request that waits")
  func asynchronous() async throws {
    let office = Office()
    _ = office.desk
    office.manager.reset()
    #expect(try await office.manager.resolver.requireAsync(Desk.self).label == "automatic")
  }

  @Test("an async factory that was made before a reset")
  func asyncFactory() async throws {
    let office = Office()
    let desk = office.desk
    #expect(try await desk().label == "automatic")
    office.manager.reset()
    #expect(try await desk().label == "automatic")
  }

  @Test("a request for all services of a type")
  func many() throws {
    try Office.reset { office in
      #expect(office.resolveMany((any Lamp).self).count == 2)
      #expect(office.resolveMany((any Lamp).self).count == 2)
    }
  }

  @Test("a request for all services of a type in a sandbox that reset the container")
  func manyInSandbox() throws {
    let office = Office()
    _ = office.desk
    inSandbox {
      office.manager.reset()
      #expect(office.manager.resolver.resolveMany((any Lamp).self).count == 2)
    }
  }

  @Test("the graph, an assembler's too")
  func graph() throws {
    try Office.reset { #expect($0.graph.keys.count == 5) }
    try Office.reset { #expect($0.graph(observedBy: ResolutionRecorder()).keys.count == 5) }
    try Office.reset { #expect(Assembler(container: $0).graph.keys.count == 5) }
  }

  @Test("a dry run")
  func dryRun() throws {
    try Office.reset { #expect($0.dryRun().keys.count == 5) }
  }

  @Test("a check of the wiring, with a dry run and without, an assembler's too")
  func validate() throws {
    try Office.reset { try $0.validate() }
    try Office.reset { try $0.validate(roots: [WallLamp.self], dryRun: true) }
    try Office.reset { try Assembler(container: $0).validate() }
  }
}
