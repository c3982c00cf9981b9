@testable import DITesting
import Testing

@Suite("A dry run in a test")
struct DryRunTraceTests {
  private func opener(_ issues: Issues, policy: FramePolicy) -> ScopeOpener {
    ScopeOpener(
      .sandbox, policy: policy, name: "checkout", location: CodeLocation(line: 30),
      report: issues.handler)
  }

  @Test("adds no call of a double to the recorders around it", .sandbox, .recorded)
  func calls() throws {
    let recorder = try #require(ResolutionRecorder.current)
    let shop = Resolver()
    let outer = PostboxDouble()
    shop.register { () -> Basket in
      outer.send("by a double from outside")
      let inner = PostboxDouble()
      shop.register { inner as any Postbox }
      double(inner)
      inner.send("by a double of the factory")
      return Basket()
    }
    recorder.clear()
    _ = shop.dryRun()
    #expect(recorder.tree == "")
    #expect(recorder.calls == [])
  }

  @Test("has no current recorder", .sandbox, .recorded)
  func recorder() throws {
    let shop = Resolver()
    let isThere = Lock<Bool?>(nil)
    shop.register { () -> Basket in
      let recorder = ResolutionRecorder.current
      isThere.withLock { $0 = recorder != nil }
      return Basket()
    }
    _ = shop.dryRun()
    #expect(isThere.withLock { $0 } == false)
  }

  @Test("is heard by nobody who listens for live services")
  func live() {
    let heard = Lock<[String]>([])
    var policy = FramePolicy()
    policy.hearsLive = [{ service, _ in heard.withLock { $0.append("\(service.key)") } }]
    opener(Issues(), policy: policy).run {
      let shop = Resolver { r in r.register { LivePostbox() as any Postbox } }
      _ = shop.dryRun()
      #expect(heard.withLock { $0 } == [])
      _ = shop.resolve((any Postbox).self)
      #expect(heard.withLock { $0 } == ["any Postbox"])
    }
  }
}
