import DITesting
import Testing

/// A type of production code that is not Sendable, as most are, and has async members.
private final class PriceTag {
  private(set) var labels: [String] = []

  func note() async {
    await Task.yield()
    labels.append(currentLabel())
  }

  /// Production code that keeps its context across a wait.
  func noteInContext() async {
    await ResolutionContext.current.run { await self.note() }
  }
}

/// Operations in Swift 6 mode use what was made around them, and it can be used afterwards.
@Suite("An async operation takes along what is not Sendable")
struct AsyncCaptureTests {
  let shop = Resolver { $0.register { LivePayments() as any Payments } }

  @Test("to a sandbox, with and without doubles")
  func sandboxes() async {
    let tag = PriceTag()
    await withSandbox {
      shop.register { FakePayments() as any Payments }
      Resolver.root = shop
      await tag.note()
    }
    await withSandbox {
      $0.register { FakePayments("configured") as any Payments }
      await Task.yield()
    } operation: {
      await tag.note()
    }
    #expect(tag.labels == ["fake", "configured"])
  }

  @Test("to a scoped root, a layer, a recorder, a policy and a context that is carried")
  func others() async {
    let tag = PriceTag()
    await withRoot(shop) {
      await tag.note()
      await withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        await tag.note()
        await withRecorder(ResolutionRecorder()) { await tag.note() }
        await withStrictness(.off) { await tag.note() }
        await tag.noteInContext()
      }
    }
    #expect(tag.labels == ["live", "layer", "layer", "layer", "layer"])
  }

  @Test("from a function that is given it, and passes operations on")
  func passedOn() async {
    let tag = PriceTag()
    await inShop { await tag.note() }
    await note(tag)
    #expect(tag.labels == ["live", "live"])
  }

  private func inShop<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
    try await withRoot(shop, operation: operation)
  }

  private func note(_ tag: PriceTag) async {
    await withRoot(shop) { await tag.note() }
  }
}
