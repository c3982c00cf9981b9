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

  /// Registers two vans, for an alias each.
  private static func registerTwo(in depot: Resolver, _ scope: Scope = .unique) {
    depot.register { Bicycle() as Van }.scope(scope)
      .implements((any Carrier).self, name: "town")
    depot.register { Van() }.scope(scope).implements((any Carrier).self, name: "country")
  }

  private static func two(_ depot: Resolver = .root) -> [String] {
    (0..<3).flatMap { _ in
      ["town", "country"].map { depot.resolve((any Carrier).self, name: Resolver.Name($0)).name }
    }
  }

  private static let apart = Array(repeating: ["bicycle", "van"], count: 3).flatMap(\.self)

  @Test(
    "Aliases tell a test's registrations of a class apart, as production's",
    arguments: [Scope.unique, .graph, .shared, .cached, .container, .perContainer(.strong)])
  func toldApart(scope: Scope) {
    withSandbox {
      Self.registerTwo(in: .main, scope)
      #expect(Self.two() == Self.apart)
      let depot = Resolver()
      Self.registerTwo(in: depot, scope)
      #expect(Self.two(depot) == Self.apart)
      #expect(depot.resolveMany((any Carrier).self).map(\.name) == ["bicycle", "van"])
    }
    withLayer {
      Self.registerTwo(in: $0, scope)
    } operation: {
      #expect(Self.two() == Self.apart)
    }
  }

  @Test("A double of the class wins over a test's registrations that aliases tell apart")
  func toldApartBelow() {
    withSandbox {
      Self.registerTwo(in: .main)
      withSandbox {
        Resolver.register { Van() }
        #expect(Self.two() == Array(repeating: "van", count: 6))
      }
      #expect(Self.two() == Self.apart)
      Resolver.register { Bicycle() as Van }
      #expect(Self.two() == Array(repeating: "bicycle", count: 6))
    }
  }

  @Test("A double of the class wins over both where the class's registrations are a set-up's")
  func toldApartInSetUp() {
    let depot = Resolver { Self.registerTwo(in: $0) }
    withSandbox {
      #expect(Self.two(depot) == Self.apart)
      depot.register { Van() }.implements((any Carrier).self, name: "abroad")
      #expect(Self.two(depot) == Array(repeating: "van", count: 6))
    }
    #expect(Self.two(depot) == Self.apart)
  }

  @Test("What a test keeps of one of two starts anew where a third one comes")
  func third() {
    withSandbox {
      Self.registerTwo(in: .main, .cached)
      let town = Resolver.resolve((any Carrier).self, name: "town")
      Resolver.register { Van() }.implements((any Carrier).self, name: "abroad")
      #expect(Self.two() == Self.apart)
      #expect(Resolver.resolve((any Carrier).self, name: "town") !== town)
    }
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
