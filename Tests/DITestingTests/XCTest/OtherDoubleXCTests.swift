#if os(Linux)
@testable import DITesting
import XCTest

// Whose call it is, whose expectation, and whose double, where XCTest runs the test: what
// OtherDoubleTests.swift tests in Swift Testing.

final class OtherDoubleXCTests: ReportingTestCase {
  private let file = "DITestingTests/OtherDoubleXCTests.swift"

  func testACallOfAnotherDoubleIsToldFromThatOfOneThatIsRegisteredNowhere() throws {
    let line: UInt = #line
    double(GatewayDouble()).charge.returns("ref")
    let mine = GatewayDouble()
    _ = try Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
    expectCalled(mine.charge, times: 1)
    expected = [
      failure(
        """
        Expected `Gateway.charge(_:for:)` to be called 1 time, but it was called 0 times.

          called:    another double, registered at \(file):\(line + 1)
          this one:  not known to be registered

        To fix this:
          - Register one double, and expect calls of what `double(…)` returned.

        Called:
          Gateway.charge(cents: 1, customer: "Ann")  — returned "ref"
        """, line: line + 4)
    ]
  }

  func testACallOfAnotherDoubleIsToldFromThatOfOneThatItReplaced() {
    let line: UInt = #line + 2
    let issues = findings {
      let first = double(GatewayDouble())
      double(GatewayDouble()).charge.returns("ref")
      _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
      expectCalled(first.charge)
    }
    XCTAssertEqual(
      issues.map(\.text),
      [
        """
        `any Gateway` has two doubles here: this one replaces another that nothing resolved.

          first:   \(file):\(line)
          second:  \(file):\(line + 1)

        To fix this:
          - Register one of them, and use what `double(…)` returns.
        """
      ])
    XCTAssertEqual(issues.map(\.severity), [.warning])
    expected = [
      failure(
        """
        Expected `Gateway.charge(_:for:)` to be called, but it was not.

          called:    another double, registered at \(file):\(line + 1)
          this one:  registered at \(file):\(line), and replaced at \(file):\(line + 1)

        To fix this:
          - Register one double, and expect calls of what `double(…)` returned.

        Called:
          Gateway.charge(cents: 1, customer: "Ann")  — returned "ref"
        """, line: line + 3)
    ]
  }

  func testADoubleThatOutlivesItsTestIsReportedToTheOneThatCallsIt() {
    var held: (any Postbox)?
    func test(_ name: String, _ body: () -> Void) -> [DiagnosticIssue] {
      let issues = Issues()
      ScopeOpener(
        .sandbox, name: name, isTest: true,
        location: CodeLocation(fileID: "DITestingTests/Test", filePath: "", line: 0, column: 0),
        report: issues.handler
      ).run(body)
      return issues.all
    }
    let line: UInt = #line
    let first = test("Tests.testA") {
      double(PostboxDouble())
      held = Resolver.resolve((any Postbox).self)
    }
    XCTAssertEqual(first, [])
    let second = test("Tests.testB") {
      held?.send("Hello")
      held?.send("again")
    }
    XCTAssertEqual(
      second.map(\.text),
      [
        """
        `Tests.testA`'s double was called in `Tests.testB`: something that outlives tests holds it, \
        resolved at \(file):\(line + 3).

          called:      Postbox.send("Hello")
          registered:  \(file):\(line + 2)
          test:        Tests.testA

        To fix this:
          - Let what holds it resolve at each use: `@LazyInjected`, `@DynamicInjected`.
          - Or let the container make what holds it, in a scope such as `.singleton`: each sandbox \
        then has one of its own.
        """
      ])
    XCTAssertEqual(second.map(\.severity), [.error])
  }

  func testExpectationsOffTheTaskFailTheTest() async {
    let gateway = double(GatewayDouble())
    _ = Resolver.resolve((any Gateway).self)
    let line: UInt = #line
    await Task.detached {
      expectCalled(gateway.charge)
      expectResolved((any Postbox).self)
    }.value
    expected = [
      failure(
        "Expected `Gateway.charge(_:for:)` to be called, but it was not.\n\nNo stub was called.",
        line: line + 2),
      failure(
        """
        Expected `any Postbox` to be resolved, but it was not.

        Resolved:
          any Gateway  — created double, graph, main
        """, line: line + 3),
    ]
  }
}
#endif
