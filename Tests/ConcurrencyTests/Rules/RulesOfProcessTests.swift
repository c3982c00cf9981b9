import DITesting
import Testing

/// Random lives whose scopes answer the whole process: none is bound to a task.
@Suite("Whatever is pushed and opened on the process")
struct RulesOfProcessTests {
  @Test(
    "each answer is the instance that the rules name, for lazy wrappers too", .failuresAlone)
  func answers() async {
    // In a process of its own: elsewhere its scopes would answer other tests.
    await #expect(processExitsWith: .success) {
      var answers = 0
      for seed in RulesModelTests.seeds {
        let life = RandomLife(seed: seed, isAsync: false, isOfProcess: true)
        await life.run()
        answers += life.answers
        if life.failure != nil {
          Issue.record("Seed \(seed):\n\(life.log.joined(separator: "\n"))")
        }
      }
      #expect(answers > RulesModelTests.seeds.count * 10)
    }
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Leaves out the warnings about doubles: a random life registers many that nothing resolves.
  fileprivate static var failuresAlone: Self {
    .filterIssues { issue in
      #if compiler(>=6.3)
      issue.isFailure
      #else
      true
      #endif
    }
  }
}
