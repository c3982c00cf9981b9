import DITesting
import Testing

// What the cases share is counted in one place, for a run of the whole suite.

/// Counts how often trait closures run, and remembers the doubles that test cases got.
private final class Counter: Sendable {
  private let state = Lock<[String: Int]>([:])
  private let labels = Lock<[String: [String]]>([:])

  static let shared = Counter()

  func count(_ name: String) -> Int {
    state.withLock {
      $0[name, default: 0] += 1
      return $0[name]!
    }
  }

  /// Remembers a label, and answers all that were noted under the name so far.
  func note(_ label: String, under name: String) -> [String] {
    labels.withLock {
      $0[name, default: []].append(label)
      return $0[name]!
    }
  }
}

private func numbered(_ name: String) -> any Payments {
  FakePayments("\(name) \(Counter.shared.count(name))")
}

@Suite("Trait closures run afresh for each case")
struct TraitFreshnessTests {
  /// Sees to it that no two of four cases got the same double; the last one to come sees them all.
  private func expectFresh(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let labels = Counter.shared.note(currentLabel(), under: name)
    #expect(Set(labels).count == labels.count, sourceLocation: sourceLocation)
    if labels.count == 4 {
      let all = Set((1...4).map { "\(name) \($0)" })
      #expect(Set(labels) == all, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "a sandbox's",
    .sandbox { root in
      let double = numbered("sandbox")
      root.register { double }
    }, arguments: 1...4)
  func sandbox(number: Int) {
    expectFresh("sandbox")
  }

  @Test(
    "a layer's", .root(.traitShop),
    .layer { layer in
      let double = numbered("layer")
      layer.register { double }
    }, arguments: 1...4)
  func layer(number: Int) {
    expectFresh("layer")
  }

  @Test(
    "a root",
    .root(
      {
        let root = Resolver()
        let double = numbered("root")
        root.register { double }
        return root
      }()), arguments: 1...4)
  func root(number: Int) {
    expectFresh("root")
  }

  @Test("a recorder", .recorded, .root(.traitShop), arguments: 1...4)
  func recorder(number: Int) {
    #expect(ResolutionRecorder.current?.events.isEmpty == true)
    _ = currentLabel()
    expectResolved((any Payments).self, times: 1, built: 1)
  }
}
