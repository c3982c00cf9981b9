import DITesting
import Testing

private final class Depot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Depot {
  fileprivate var label: Factory<String> { self { "live" } }
}

/// In a sandbox where the process is not to be changed; the sandbox is what makes it right.
///
/// What a test leaves in the process for a moment others see: where it is `main` that is changed,
/// the test has a process of its own.
@Suite("What a layer's closure registers elsewhere", .processChanges(.off))
struct BesideTheLayerTests {
  private static func report(atLine line: UInt) -> String {
    """
    `any Payments "beside"` was registered by the closure of a layer, but not in the layer: the \
    process keeps it.

      registered:  DITestingTests/BesideTheLayerTests.swift:\(line), in main

    To fix this:
      - Register it in the container that the closure gets: `mock.register(name: "beside") { … \
    as any Payments }`.
      - Or put a sandbox around the layer.
    """
  }

  @Test("is reported, for the process keeps it")
  func reported() async {
    await #expect(processExitsWith: .success) { Self.registersBesideALayer() }
  }

  private static func registersBesideALayer() {
    let line: UInt = #line + 3
    expectWarning(report(atLine: line), atLine: line) {
      withLayer { _ in
        _ = Resolver.register(name: "beside") { FakePayments() as any Payments }
      } operation: {
        #expect(Resolver.optional((any Payments).self, name: "beside") != nil)
      }
    }
  }

  @Test("is reported after an async operation, too")
  func reportedAfterAsync() async {
    await #expect(processExitsWith: .success) { await Self.registersBesideAnAsyncLayer() }
  }

  private static func registersBesideAnAsyncLayer() async {
    let line: UInt = #line + 3
    await expectWarning(report(atLine: line), atLine: line) {
      await withLayer { _ in
        _ = Resolver.register(name: "beside") { FakePayments() as any Payments }
      } operation: {
        await Task.yield()
        #expect(Resolver.optional((any Payments).self, name: "beside") != nil)
      }
    }
  }

  @Test("is reported with the key path where it is a property's")
  func property() {
    let line: UInt = #line
    defer { Depot.shared.label.reset() }
    expectWarning(
      """
      `label: String` was registered by the closure of a layer, but not in the layer: the process \
      keeps it.

        registered:  DITestingTests/BesideTheLayerTests.swift:\(line + 15), in Depot

      To fix this:
        - Register it in the container that the closure gets: `mock.double(\\Depot.label) { … }`.
        - Or put a sandbox around the layer.
      """, atLine: line + 15
    ) {
      withLayer { _ in
        Depot.shared.label.register { "fake" }
      } operation: {
        #expect(Depot.shared.label() == "fake")
      }
    }
  }

  @Test("is nothing to report in a sandbox, in a container of one's own, or in set-up code")
  func notReported() {
    let own = Resolver()
    withLayer { mock in
      mock.register { FakePayments() as any Payments }
      mock.double(\Depot.label) { "fake" }
      own.register { FakePayments() as any Payments }
      mock.add(child: Resolver { $0.register { Basket() } })
    } operation: {
      #expect(own.resolve((any Payments).self).label == "fake")
      #expect(currentLabel() == "fake")
      #expect(Depot.shared.label() == "fake")
      #expect(Resolver.optional(Basket.self) != nil)
    }
    withSandbox {
      withLayer { _ in
        Resolver.register(name: "inside") { FakePayments() as any Payments }
      } operation: {
        #expect(Resolver.optional((any Payments).self, name: "inside") != nil)
      }
    }
    #expect(Resolver.optional((any Payments).self, name: "inside") == nil)
  }
}
