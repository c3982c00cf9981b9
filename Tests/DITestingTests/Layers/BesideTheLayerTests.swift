@testable import DITesting
import Testing

private final class Depot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Depot {
  fileprivate var label: Factory<String> { self { "live" } }
}

/// Tests without a sandbox, each in a process of its own: others would see what it changes.
@Suite("What a layer's closure registers elsewhere")
struct BesideTheLayerTests {
  private static func report(_ service: String, atLine line: UInt, in place: String, fix: String)
    -> String
  {
    """
    `\(service)` was registered by the closure of a layer, but not in the layer: it stays in the \
    process.

      registered:  DITestingTests/BesideTheLayerTests.swift:\(line), in \(place)
      test:        refund

    To fix this:
      - Register it in the container that the closure gets: \(fix).
      - Or put a sandbox around the layer.
    """
  }

  private static let byType =
    "`mock.register(name: \"beside\") { … as any Payments }`"

  @Test("is reported once a place, because the process keeps it")
  func reported() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        // The line of all that is in the macro.
        let line: UInt = #line
        for _ in 0..<2 {
          withLayer { _ in
            _ = Resolver.register(name: "beside") { FakePayments() as any Payments }
          } operation: {
            #expect(Resolver.optional((any Payments).self, name: "beside") != nil)
          }
        }
        #expect(
          issues.all.map(\.text) == [
            Self.report("any Payments \"beside\"", atLine: line, in: "main", fix: Self.byType)
          ])
        #expect(issues.all.map(\.severity) == [.warning])
      }
    }
  }

  @Test("is reported with the key path if it is a property's")
  func property() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        let line: UInt = #line
        withLayer { _ in
          Depot.shared.label.register { "fake" }
        } operation: {
          #expect(Depot.shared.label() == "fake")
        }
        #expect(
          issues.all.map(\.text) == [
            Self.report(
              "label: String", atLine: line, in: "Depot",
              fix: "`mock.double(\\Depot.label) { … }`")
          ])
      }
    }
  }

  @Test("is not reported if the container is the closure's own, or if the test may change all")
  func meant() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withLayer { _ in
          let depot = Depot()
          depot.label.register { "fake" }
          #expect(depot.label() == "fake")
        } operation: {
        }
        Sandbox.processChanges = .off
        withLayer { _ in
          _ = Resolver.register(name: "beside") { FakePayments() as any Payments }
        } operation: {
        }
        #expect(issues.all.map(\.headline) == [])
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
