@testable import DITesting
import Testing

// Each in a process of its own: see UnscopedWorld.swift.

@Suite("A request that belongs to no test, while sandboxes adopt such work,")
struct AdoptionTests {
  @Test("gets the sandbox's double where the only one open says `.adopt`")
  func adopts() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .adopt) {
          shop.register { FakePayments() as any Payments }
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "fake")
          #expect(issues.all.isEmpty)
        }
      }
    }
  }

  @Test("gets the double of the innermost scope in a sandbox that says `.adopt`")
  func adoptsIntoTheInnermost() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        Resolver.root = shop
        await sandbox("checkout", .adopt) {
          await withLayer {
            $0.register { FakePayments("layer") as any Payments }
          } operation: {
            await withStrictness(.warn) {
              #expect(await Task.detached { currentLabel() }.value == "layer")
            }
          }
          let mock = Resolver()
          mock.register { FakePayments("mock") as any Payments }
          await withRoot(mock) {
            #expect(await Task.detached { currentLabel() }.value == "mock")
          }
          #expect(issues.all.isEmpty)
        }
      }
    }
  }

  @Test("is heard by the recorder of a test whose sandbox says `.adopt`")
  func isRecorded() async {
    await #expect(processExitsWith: .success) {
      await Self.isHeard { await withRecorder($0, operation: $1) }
    }
  }

  @Test("is heard by the recorder of the trait `.recorded`, too")
  func isRecordedByTrait() async {
    await #expect(processExitsWith: .success) {
      await Self.isHeard { recorder, work in
        // As the trait opens it.
        await ScopeOpener(
          .plain, caches: .none, recorder: recorder, name: "checkout", location: .test(1)
        ).run(work)
      }
    }
  }

  private static func isHeard(
    by record: (ResolutionRecorder, () async -> Void) async -> Void
  ) async {
    await collecting { issues, shop in
      await sandbox("checkout", .adopt) {
        shop.register { FakePayments() as any Payments }
        let recorder = ResolutionRecorder()
        await record(recorder) {
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "fake")
        }
        #expect(recorder.resolutions(of: (any Payments).self).count == 1)
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("is not adopted while two sandboxes are open: both are named")
  func adoptsNothing() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let (opened, isOpen) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        let other = Task {
          await sandbox("refund", .adopt, at: CodeLocation()) {
            shop.register { FakePayments("refund's") as any Payments }
            _ = shop.resolve((any Payments).self)
            isOpen.finish()
            for await _ in closing {}
          }
        }
        for await _ in opened {}
        await sandbox("checkout", .adopt, at: CodeLocation()) {
          shop.register { FakePayments() as any Payments }
          #expect(shop.resolve((any Payments).self).label == "fake")
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "live")
        }
        #expect(issues.all.count == 1)
        let text = issues.all.first?.text ?? ""
        #expect(text.contains("open:       refund, at DITestingTests/AdoptionTests.swift:"))
        #expect(text.contains("open:       checkout, at DITestingTests/AdoptionTests.swift:"))
        close.finish()
        await other.value
      }
    }
  }
}
