import DITesting
import Logging
import ServiceLifecycle
import Testing

/// Doubles of protocols that were not written for this; `.ci/doubles` generates them.
@Suite(.sandbox) nonisolated struct OthersTests {
  @Test("A log handler hears what is logged")
  func logging() {
    let handler = LogHandlerDouble()
    handler.getLogLevel.returns(.info)
    let logger = Logger(label: "shop") { _ in handler }

    logger.info("sold")
    logger.debug("unheard")

    expectCalled(handler.logEvent, times: 1) { $0.message == "sold" }
  }

  @Test("A service runs until its double returns")
  func services() async throws {
    let service = ServiceDouble()
    try await service.run()
    expectCalled(service.runStub, times: 1)
  }
}
