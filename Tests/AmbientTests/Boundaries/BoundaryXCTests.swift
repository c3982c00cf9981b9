#if os(Linux)
@testable import DITesting
import Dispatch
import XCTest

/// A test case refuses live boundaries, wherever they are requested.
final class BoundaryXCTests: RefusingTestCase {
  override var allowedBoundaries: [String]? { ["disk"] }

  private func refused(_ line: UInt) -> String {
    "\(line): failed - "
      + refusal(
        requested: "AmbientTests/BoundaryXCTests.swift:\(line)", registered: gatewayLine,
        boundaryShop.core.label,
        allowing: #"override var allowedBoundaries: [String]? { ["disk", "network"] }"#)
  }

  func testItRefusesALiveBoundary() {
    _ = boundaryShop.resolve(Archive.self)
    let line: UInt = #line + 1
    XCTAssertNil(boundaryShop.optional((any Gateway).self))
    XCTAssertThrowsError(try boundaryShop.require((any Gateway).self))
    expected = [refused(line)]
  }

  func testItRefusesOneOnAQueue() {
    let line: UInt = #line + 2
    DispatchQueue.global().sync {
      XCTAssertNil(boundaryShop.optional((any Gateway).self))
    }
    expected = [refused(line)]
  }

  func testItRefusesOneInADetachedTask() async {
    let line: UInt = #line + 2
    await Task.detached {
      let gateway = await boundaryShop.optionalAsync((any Gateway).self)
      XCTAssertNil(gateway)
    }.value
    expected = [refused(line)]
  }

  func testItIsContentWithADouble() {
    boundaryShop.register { GatewayDouble() as any Gateway }
    XCTAssertTrue(boundaryShop.resolve(Purchase.self).gateway is GatewayDouble)
  }
}

/// A test case has no services of the assemblies that it leaves out.
final class WithoutXCTests: SandboxTestCase {
  private static let assembled = Assembler([NetworkAssembly(), DiskAssembly()])

  override var without: [any Assembly.Type] { [NetworkAssembly.self] }

  func testTheyAreNotThere() {
    let resolver = Self.assembled.resolver
    XCTAssertNil(resolver.optional((any Gateway).self))
    XCTAssertNotNil(resolver.optional(Archive.self))
  }
}
#endif
