import DITesting
import XCTest

#if !canImport(Darwin)
// XCTest has no `XCTExpectFailure` here: failures are taken where they are recorded. (On Darwin
// the method that records them is another.)

final class ExpectationXCTests: SandboxTestCase {
  private var isTaking = false
  private var taken: [(text: String, file: String, line: Int)] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isTaking {
      taken.append((description, filePath, lineNumber))
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  /// Expects an operation to fail once: with exactly this text, at a line of this file.
  private func assertFails(
    _ text: String, atLine expected: Int, line: UInt = #line, _ operation: () -> Void
  ) {
    isTaking = true
    operation()
    isTaking = false
    XCTAssertEqual(taken.map(\.text), ["failed - " + text], line: line)
    XCTAssertEqual(taken.map(\.file), ["\(#filePath)"], line: line)
    XCTAssertEqual(taken.map(\.line), [expected], line: line)
    taken = []
  }

  private let shop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  func testHold() {
    shop.register { FakePayments() as any Payments }
    _ = shop.resolve((any Mailer).self)
    expectResolved((any Payments).self, times: 1, built: 1)
    expectResolved(inOrder: (any Mailer).self, (any Payments).self)
    expectNotResolved(Basket.self)
    expectOnlyDoublesResolved(except: (any Mailer).self)
  }

  func testNotResolved() {
    let line = #line + 6
    assertFails(
      """
      Expected `Basket` to be resolved, but it was not.

      Nothing was resolved.
      """, atLine: line + 1
    ) { expectResolved(Basket.self) }
  }

  func testTimes() {
    _ = shop.resolve((any Payments).self)
    let line = #line
    assertFails(
      """
      Expected `any Payments` to be resolved 2 times, but it was resolved 1 time.

      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
      """, atLine: line + 8
    ) { expectResolved((any Payments).self, times: 2) }
  }

  func testResolved() {
    let line = #line
    _ = shop.resolve((any Payments).self)
    assertFails(
      """
      Expected `any Payments` not to be resolved, but it was resolved 1 time.

        requested:  DITestingTests/ExpectationXCTests.swift:\(line + 1)

      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
      """, atLine: line + 11
    ) { expectNotResolved((any Payments).self) }
  }

  func testOrder() {
    _ = shop.resolve((any Mailer).self)
    let line = #line
    assertFails(
      """
      Expected to be resolved in this order: any Payments, any Mailer. But `any Mailer` was not \
      resolved after `any Payments`.

      Resolved:
        any Mailer  — created live, graph, \(shop.core.label)
          any Payments  — created live, cached, \(shop.core.label)
      """, atLine: line + 10
    ) { expectResolved(inOrder: (any Payments).self, (any Mailer).self) }
  }

  func testLive() {
    let line = #line
    _ = shop.resolve((any Payments).self)
    assertFails(
      """
      Expected only doubles to be resolved, but a live service was.

        live:  `any Payments` in \(shop.core.label), registered at \
      DITestingTests/ExpectationXCTests.swift:\(line - 68), requested at \
      DITestingTests/ExpectationXCTests.swift:\(line + 1)

      To fix this:
        - Register a double: `register { … as any Payments }`.
        - If it may be live, exclude it: `except: (any Payments).self`.

      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
      """, atLine: line + 17
    ) { expectOnlyDoublesResolved() }
  }

  func testAProperty() {
    _ = Container.shared.tillClock()
    expectResolved(\.tillClock, times: 1)
    expectNotResolved(\.tillWatch)
    let tree = """
      Resolved:
        tillClock: String  — created live, unique, \(Container.shared.manager.core.label)
      """
    let line = #line
    assertFails(
      """
      Expected `tillWatch: String` to be resolved, but it was not.

        close:  `tillClock: String` was resolved, as another property

      \(tree)
      """, atLine: line + 9
    ) { expectResolved(\.tillWatch) }
    assertFails(
      """
      Expected `tillClock: String` not to be resolved, but it was resolved 1 time.

        requested:  DITestingTests/ExpectationXCTests.swift:\(line - 7)

      \(tree)
      """, atLine: line + 18
    ) { expectNotResolved(\.tillClock) }
  }

  func testLayerPoppedTwice() {
    let layer = Resolver.push { _ in }
    let line = #line
    Resolver.pop(layer)
    assertFails(
      """
      This layer was popped before.

        popped:  DITestingTests/ExpectationXCTests.swift:\(line + 12)
        pushed:  DITestingTests/ExpectationXCTests.swift:\(line - 1)

      To fix this:
        - Pop each once, in the reverse order of pushing.
      """, atLine: line + 12
    ) { Resolver.pop(layer) }
  }

  func testLayersPoppedOutOfOrder() {
    let line = #line
    let first = Resolver.push { _ in }
    let second = Resolver.push { _ in }
    assertFails(
      """
      This layer was popped while 1 pushed later was still open.

        popped:  DITestingTests/ExpectationXCTests.swift:\(line + 14)
        pushed:  DITestingTests/ExpectationXCTests.swift:\(line + 1)
        open:    DITestingTests/ExpectationXCTests.swift:\(line + 2)

      To fix this:
        - Pop in the reverse order of pushing. All of these are off now.
      """, atLine: line + 14
    ) { Resolver.pop(first) }
    // That it is popped in turn follows from the one mistake.
    Resolver.pop(second)
  }

  func testLayerNeverPopped() {
    let line = #line
    assertFails(
      """
      This layer was pushed and never popped.

        pushed:  DITestingTests/ExpectationXCTests.swift:\(line + 13)
        scope:   DITestingTests/ExpectationXCTests.swift:\(line + 12)

      To fix this:
        - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
      """, atLine: line + 13
    ) {
      withSandbox {
        _ = Resolver.push { _ in }
      }
    }
  }
}

/// A test whose layer stays open: the end of the test case reports it.
final class OpenLayerXCTests: SandboxTestCase {
  private var taken: [String] = []
  private static let pushLine = #line + 3

  func testLeavesALayerOpen() {
    _ = Resolver.push { _ in }
  }

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    taken.append("\(lineNumber): \(description)")
  }

  override func invokeTest() {
    super.invokeTest()
    let taken = self.taken
    let expected = """
      \(Self.pushLine): failed - This layer was pushed and never popped.

        pushed:  DITestingTests/ExpectationXCTests.swift:\(Self.pushLine)
        scope:   OpenLayerXCTests.testLeavesALayerOpen

      To fix this:
        - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
      """
    if taken != [expected] {
      super.recordFailure(
        withDescription: "recorded: \(taken)", inFile: #filePath, atLine: #line, expected: true)
    }
  }
}

extension Container {
  fileprivate var tillClock: Factory<String> { self { "noon" } }
  fileprivate var tillWatch: Factory<String> { self { "one" } }
}
#endif
