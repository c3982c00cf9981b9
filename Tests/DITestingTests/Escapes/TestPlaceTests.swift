@testable import DITesting
import Testing

// Reports about requests in another file than the test's, such as those of property wrappers: any
// of several tests may have made them.

@Suite("A report about a line of the app", .sandbox)
struct TestPlaceTests {
  private static let file = "DITestingTests/TestPlaceTests.swift"

  @Test("names the test, where that is strict and the service live")
  func live() {
    let line: UInt = #line - 2
    let issues = findings(in: .plain, policy: .strict(.fail, [])) { _ = PayDesk().payments }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   DITestingTests/StrictWorld.swift:\(payDeskLine)
          test:        names the test, where that is strict and the service live, at \
        \(Self.file):\(line)
          registered:  DITestingTests/StrictWorld.swift:16, in container made at \
        DITestingTests/StrictWorld.swift:15

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("names the place in the test's file that opened the innermost scope")
  func scope() {
    let (issues, opened) = (Issues(), CodeLocation())
    ScopeOpener(
      .sandbox, policy: .strict(.fail, []), name: "withSandbox", location: opened,
      report: issues.handler
    ).run { _ = PayDesk().payments }
    #expect(issues.all.map { $0.text.contains(", at \(opened)\n") } == [true])
  }

  @Test("names the test, where it misses a service")
  func missing() {
    let line: UInt = #line - 2
    strictShop.remove((any Payments).self)
    let error = #expect(throws: ResolutionError.self) { try requirePayments() }
    // Other tests of the process may add notes of theirs.
    let place = "names the test, where it misses a service, at \(Self.file):\(line)"
    let note = "  note:       the test: \(place)"
    #expect(error?.description.split(separator: "\n").contains { $0 == note } == true)
  }

  @Test("names the test that a carried context belongs to, by its own line, in another test, too")
  func carried() {
    let (issues, other) = (Issues(), "OtherTests/OtherTests.swift")
    ContextFrame.$bound.withValue(nil) {
      ScopeOpener(
        .sandbox, policy: .strict(.fail, []), name: "sells", isTest: true,
        location: CodeLocation(fileID: other, filePath: "", line: 7, column: 1),
        report: issues.handler
      ).run { _ = PayDesk().payments }
    }
    #expect(issues.all.map { $0.text.contains("  test:        sells, at \(other):7\n") } == [true])
  }

  @Test("names no test, where the test's own line led there")
  func ownLine() {
    let shop = Resolver()
    shop.register { PayDesk() }
    let issues = findings(in: .plain, policy: .strict(.fail, [])) {
      _ = shop.resolve(PayDesk.self)
    }
    #expect(issues.map { $0.text.contains("\n  from:        \(Self.file):") } == [true])
    #expect(issues.map { $0.text.contains("\n  test:") } == [false])
  }
}
