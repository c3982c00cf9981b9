import DITesting
import Testing

private protocol Carrier: AnyObject { var name: String { get } }
private class Van: Carrier { var name: String { "van" } }
private final class Bicycle: Van { override var name: String { "bicycle" } }
private final class FakeCarrier: Carrier { var name: String { "fake" } }

/// What `implements` does where sandboxes and layers are in force: each request is made three
/// times, because the first meets a class and later ones know it.
@Suite("Aliases in scopes")
struct SandboxAliasTests {
  private static func depot(_ scope: Scope = .unique) -> Resolver {
    Resolver { $0.register { Van() }.implements((any Carrier).self).scope(scope) }
  }

  private static func names(_ depot: Resolver) -> [String] {
    (0..<3).map { _ in depot.resolve((any Carrier).self).name }
  }

  @Test("A double of the class answers for the protocol, inside only", arguments: [true, false])
  func doubleOfTheClass(isAskedBefore: Bool) {
    let depot = Self.depot()
    if isAskedBefore { #expect(Self.names(depot) == ["van", "van", "van"]) }
    withSandbox {
      depot.register { Bicycle() as Van }
      #expect(Self.names(depot) == ["bicycle", "bicycle", "bicycle"])
      withSandbox { #expect(Self.names(depot) == ["bicycle", "bicycle", "bicycle"]) }
    }
    #expect(Self.names(depot) == ["van", "van", "van"])
  }

  @Test("A double of the protocol answers in the alias's place")
  func doubleOfTheProtocol() {
    let depot = Self.depot()
    withSandbox {
      #expect(Self.names(depot) == ["van", "van", "van"])
      depot.register { FakeCarrier() as any Carrier }
      #expect(Self.names(depot) == ["fake", "fake", "fake"])
    }
    #expect(Self.names(depot) == ["van", "van", "van"])
  }

  @Test("A double that is an alias itself answers, and counts as used")
  func doubleWithAlias() {
    let depot = Self.depot()
    withSandbox {
      depot.register { Bicycle() }.implements((any Carrier).self)
      #expect(Self.names(depot) == ["bicycle", "bicycle", "bicycle"])
    }
  }

  @Test(
    "What is kept is kept by the sandbox, for the class and the protocol alike",
    arguments: [Scope.cached, .container, .application])
  func kept(scope: Scope) {
    let depot = Self.depot(scope)
    let outside = depot.resolve((any Carrier).self)
    withSandbox {
      let inside = depot.resolve((any Carrier).self)
      #expect(inside !== outside)
      for _ in 0..<3 {
        #expect(depot.resolve((any Carrier).self) === inside)
        #expect(depot.resolve(Van.self) === inside)
      }
    }
    for _ in 0..<3 { #expect(depot.resolve((any Carrier).self) === outside) }
  }

  @Test("A layer's double of the class answers for the protocol")
  func layers() {
    withRoot(Self.depot()) {
      withLayer {
        $0.register { Bicycle() as Van }
      } operation: {
        #expect(Self.names(Resolver.root) == ["bicycle", "bicycle", "bicycle"])
      }
      #expect(Self.names(Resolver.root) == ["van", "van", "van"])
    }
  }

  @Test("The protocol is absent where the class was taken away, and where only a wrap is left")
  func absent() {
    let depot = Self.depot()
    withSandbox {
      depot.remove(Van.self)
      #expect(depot.optional((any Carrier).self) == nil)
      depot.decorate(Van.self) { $0 }
      #expect(depot.optional((any Carrier).self) == nil)
      depot.decorate((any Carrier).self) { $0 }
      #expect(depot.optional((any Carrier).self) == nil)
    }
    #expect(Self.names(depot) == ["van", "van", "van"])
  }

  @Test("A recorder hears of the request for the protocol each time")
  func recorded() {
    let depot = Self.depot()
    let recorder = ResolutionRecorder()
    withSandbox {
      withRecorder(recorder) { #expect(Self.names(depot) == ["van", "van", "van"]) }
    }
    #expect(recorder.resolutions(of: (any Carrier).self).count == 3)
  }
}
