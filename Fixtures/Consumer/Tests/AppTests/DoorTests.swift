import Doors
import DIContainer
import Testing

@Suite struct DoorTests {
  @Test func welcomesWithTheGreeterAtHand() {
    struct Shouting: Greeter {
      func greeting(for name: String) -> String { "HELLO, \(name.uppercased())" }
    }
    Resolver.register { Shouting() as any Greeter }
    #expect(Door().open(for: "Ada") == "HELLO, ADA")
  }
}
