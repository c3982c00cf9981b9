import DITesting
import Testing

// What a trait does after the test body can be seen from a trait outside only.

/// Runs the test inside another trait and looks at the issues and attachments afterwards.
@Suite(".recorded")
struct RecordingTraitTests {
  @Test("hears the test, and its child tasks", .recorded, .sandbox)
  func hears() async {
    let shop = Resolver { $0.register { Basket() } }
    async let basket = shop.resolve(Basket.self)
    _ = await basket
    #expect(ResolutionRecorder.current?.events.filter(\.isRequest).count == 1)
    expectResolved(Basket.self, times: 1)
  }

  @Test(
    "hears what the suite's traits inside it register", .recorded,
    .sandbox { root in
      root.register { Basket() }
    })
  func hearsTraits() {
    #expect(ResolutionRecorder.current?.events.map(\.kind) == [.registered])
    _ = Resolver.resolve(Basket.self)
  }

  @Test("is nobody's after the test")
  func none() {
    #expect(ResolutionRecorder.current == nil)
  }
}
