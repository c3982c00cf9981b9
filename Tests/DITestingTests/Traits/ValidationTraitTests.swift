@testable import DITesting
import Testing

private struct Bell {}

@Suite("The trait that validates the wiring")
struct ValidationTraitTests {
  private func validate(_ test: Test) async throws {
    try await CaseTrait.validated.provideScope(for: test, testCase: nil) {}
  }

  @Test("reports a warning once in a process", .sandbox(unusedDoubles: .off))
  func warnings() async throws {
    let test = try #require(Test.current)
    let line: UInt = #line + 1
    Resolver.root = Resolver { shop in
      shop.register { Bell() }
      shop.register { Bell() }
    }
    await expectWarning(
      """
      `Bell` is registered twice in container made at DITestingTests/ValidationTraitTests.swift:\
      \(line): the later registration counts.

        first:  DITestingTests/ValidationTraitTests.swift:\(line + 1)
        later:  DITestingTests/ValidationTraitTests.swift:\(line + 2)

      To fix this:
        - Remove one of them, or give one a name.
      """, atLine: UInt(test.sourceLocation.line)
    ) { try? await validate(test) }
    try await validate(test)
  }
}
