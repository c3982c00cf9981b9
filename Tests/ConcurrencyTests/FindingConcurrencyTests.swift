import TestSupport
import Testing

@testable import DITesting

@Suite("Concurrency: findings of work beside its test")
struct FindingConcurrencyTests {
  @Test("Each is reported once, also one that comes while its sandbox is being closed")
  func closing() {
    let reported = Atomic()
    for _ in 0..<500 {
      let opener = ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: { _ in reported.increment() })
      let finding = FrameFinding(
        text: "found", location: CodeLocation(), key: ServiceKey(Int.self), severity: .error)
      onThreads(2) { thread in
        if thread == 0 { opener.run {} } else { opener.frame.add(finding) }
      }
    }
    #expect(reported.value == 500)
  }
}
