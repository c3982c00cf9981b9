#if os(Linux)
import DITesting
import Foundation
import Testing
import XCTest

@Suite("A process of XCTest whose first call is a request")
struct FirstRequestTests {
  @Test("reports what its tests leave in the process")
  func reports() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["DITestingTests.FirstRequestXCTests/testRegisters"]
    process.environment = ProcessInfo.processInfo.environment
      .merging([FirstRequestXCTests.variable: "yes"]) { $1 }
    let errors = Pipe()
    (process.standardError, process.standardOutput) = (errors, FileHandle.nullDevice)
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      text.contains("`Crate` was registered outside every sandbox: it stays in the process."),
      "\(text)")
    #expect(text.contains("test:        FirstRequestXCTests.testRegisters"))
  }
}

private final class Crate {}

/// Makes its request while XCTest makes the test case, but only in a process of its own.
final class FirstRequestXCTests: XCTestCase {
  static let variable = "DITESTING_FIRST_REQUEST"
  private static let isAlone = ProcessInfo.processInfo.environment[variable] != nil

  private let tray = isAlone ? Resolver.optional(Crate.self) : nil

  func testRegisters() {
    guard Self.isAlone else { return }
    XCTAssertNil(tray)
    Resolver.register { Crate() }
  }
}
#endif
