import Foundation
import Testing

/// Random lives, compared with a model of the rules.
///
/// For a longer run: `RULES_SEEDS=1-100000`. A trap leaves no story behind: with `RULES_TRACE=1`
/// each step is printed before it is compared.
@Suite("Whatever is done to containers, in whatever scopes")
struct RulesModelTests {
  static let seeds: ClosedRange<UInt64> = {
    let bounds = ProcessInfo.processInfo.environment["RULES_SEEDS"]?.split(separator: "-")
    guard let bounds = bounds?.compactMap({ UInt64($0) }), bounds.count == 2 else {
      return 1...60
    }
    return bounds[0]...bounds[1]
  }()
  static let isTraced = ProcessInfo.processInfo.environment["RULES_TRACE"] != nil
  static func trace(_ step: String) { FileHandle.standardError.write(Data("\(step)\n".utf8)) }

  @Test(
    "each answer is the instance that the rules name, made by whom they name",
    .withoutMisuse, arguments: [false, true])
  func answers(isAsync: Bool) async {
    var answers = 0
    for seed in Self.seeds {
      let life = RandomLife(seed: seed, isAsync: isAsync)
      await life.run()
      answers += life.answers
      if life.failure != nil {
        Issue.record("Seed \(seed):\n\(life.log.joined(separator: "\n"))")
      }
    }
    #expect(answers > Self.seeds.count * 10)
  }

  @Test("a fault planted into the rules is found", .withoutMisuse, arguments: Fault.allCases)
  func findsFaults(_ fault: Fault) async {
    // Some faults show in one life of a hundred.
    let seeds = Self.seeds.lowerBound...max(Self.seeds.upperBound, Self.seeds.lowerBound + 599)
    for seed in seeds {
      let life = RandomLife(seed: seed, isAsync: false)
      life.model.fault = fault
      await life.run()
      if life.failure != nil { return }
    }
    Issue.record("The lives of the seeds \(seeds) do not find it.")
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Drops warnings, and issues about layers that are popped out of order or too far inside.
  static var withoutMisuse: Self {
    .filterIssues { issue in
      for comment in issue.comments { RandomLife.current?.hear(comment.rawValue) }
      let isOfPop = issue.comments.contains { $0.rawValue.hasPrefix("This layer was popped") }
      return issue.isError && !isOfPop
    }
  }
}
