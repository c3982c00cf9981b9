import DITesting
import Testing

/// Random lives that share containers, in sandboxes of their own, all at the same time.
@Suite("Whatever tests do to the same containers at the same time")
struct RulesInParallelTests {
  private final class Crumb: Sendable {}

  /// What production may do meanwhile to the same containers, without changing an answer.
  private static func crumble(in containers: [Resolver]) async {
    let scope = Scope.cache("crumbs")
    for _ in 0..<20 {
      for container in containers.dropFirst() {
        container.register { Crumb() }.scope(scope)
        #expect(container.resolve(Crumb.self) === container.resolve(Crumb.self))
        scope.reset()
        if Bool.random() { container.remove(Crumb.self) }
        let crumbs = Resolver { $0.register(name: "child") { Crumb() }.scope(.cached) }
        if Int.random(in: 0..<10) == 0 { container.add(child: crumbs) }
      }
      await Task.yield()
    }
  }

  @Test(
    "each gets the instances that the rules name for its sandbox",
    .withoutMisuse, arguments: [false, true])
  func answers(isAsync: Bool) async {
    // Apart from the seeds of lives that are alone: what they register is not at the same place.
    let first = 1_000_000 * RulesModelTests.seeds.lowerBound
    for round in 0..<UInt64(max(1, RulesModelTests.seeds.count / 100)) {
      let founder = RandomLife(seed: first + round, isAsync: isAsync)
      founder.found()
      for generation in 0..<2 {
        let lives = (0..<4).map {
          RandomLife(
            seed: first * 2 + round * 100 + UInt64(generation * 10 + $0), isAsync: isAsync,
            sharing: founder)
        }
        await withTaskGroup { group in
          for life in lives { group.addTask { await life.run() } }
          group.addTask { await Self.crumble(in: founder.containers) }
        }
        for life in lives where life.failure != nil {
          let story = (founder.log + life.log).joined(separator: "\n")
          Issue.record("Seed \(life.seed):\n\(story)")
        }
        founder.changeBase()
      }
    }
  }
}
