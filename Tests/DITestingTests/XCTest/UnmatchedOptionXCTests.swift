#if os(Linux)
@testable import DITesting
import XCTest

private let shop = Resolver { r in r.register { LivePayments() as any Payments } }

private struct StockAssembly: Assembly {
  func assemble(container: Container) {}
}

/// Overrides that name what no test of the class has are noted for the end of the class.
final class UnmatchedOptionXCTests: SandboxTestCase {
  override var strictness: Strictness { .warn }
  override var mayBeLive: [LiveException] { [.type(Basket.self), .type((any Payments).self)] }
  override var without: [any Assembly.Type] { [StockAssembly.self] }
  override var fallback: (@Sendable (ServiceKey) -> Any?)? { { _ in Basket() } }
  override var doubles: [any TestDouble.Type]? { [] }
  override var real: [Any.Type] { [Basket.self, (any Payments).self] }

  override func invokeTest() {
    super.invokeTest()
    let texts = SharedSetUp.current?.issues.map(\.text).filter { $0.contains(name) }
    XCTAssertEqual(
      texts?.sorted(),
      [
        "The fallback made no double for what was requested.",
        "`Basket` may be live, but no live one was resolved.",
        "`Basket` was to be real, but no live one was resolved.",
        "`StockAssembly` is left out, but no such assembly was applied.",
      ].map {
        """
        \($0)

          test:  \(name)

        To fix this:
          - Name what the tests of the suite resolve, or remove it.
        """
      })
  }

  func testResolvesPayments() { _ = shop.resolve((any Payments).self) }
}
#endif
