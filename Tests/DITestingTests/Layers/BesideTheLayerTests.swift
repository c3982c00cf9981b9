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
/// What one test leaves in the process for a moment no other asks for.
@Suite("What a layer's closure registers elsewhere", .processChanges(.off))
struct BesideTheLayerTests {
  @Test("is reported, for the process keeps it", .serialized, arguments: [false, true])
  func reported(async: Bool) async {
    let line: UInt = #line
    let text = """
      `any Payments "beside"` was registered by the closure of a layer, but not in the layer: the \
      process keeps it.

        registered:  DITestingTests/BesideTheLayerTests.swift:\(line + 13), in main

      To fix this:
        - Register it in the container that the closure gets: `mock.register(name: "beside") { … \
      as any Payments }`.
        - Or put a sandbox around the layer.
      """
    let configure = { (_: Resolver) in
      _ = Resolver.register(name: "beside") { FakePayments() as any Payments }
    }
    defer { Resolver.main.remove((any Payments).self, name: "beside") }
    if async {
      await expectWarning(text, atLine: line + 13) {
        await withLayer(configure) {
          await Task.yield()
          #expect(Resolver.optional((any Payments).self, name: "beside") != nil)
        }
      }
    } else {
      expectWarning(text, atLine: line + 13) {
        withLayer(configure) {
          #expect(Resolver.optional((any Payments).self, name: "beside") != nil)
        }
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
