@testable import DIContainer
import DITesting
import Testing

@Suite("The first container of a process")
struct FirstContainerTests {
  @Test("is known to the testing module, so that changes by other tests are reported")
  func isKnown() async {
    await #expect(processExitsWith: .success) {
      #expect(Tests.delegate == nil)
      _ = Resolver()
      #expect(Tests.delegate != nil)
    }
  }
}
