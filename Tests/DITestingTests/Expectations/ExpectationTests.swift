import DITesting
import Testing

@Suite("Expectations", .recorded)
struct ExpectationTests {
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register(name: "card") { LivePayments() as any Payments }
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  @Test("hold for what was resolved")
  func holds() {
    _ = shop.resolve((any Mailer).self)
    _ = shop.resolve((any Payments).self)
    _ = shop.resolve((any Payments).self, name: "card")
    expectResolved((any Payments).self)
    expectResolved((any Payments).self, built: 2)
    expectResolved((any Payments).self, times: 3, built: 2)
    expectResolved((any Payments).self, name: "card", times: 1)
    expectResolved(Basket.self, times: 0)
    expectNotResolved(Basket.self)
    expectNotResolved((any Payments).self, name: "cash")
    expectResolved(
      inOrder: (any Mailer).self, (any Payments).self, (any Payments).self,
      (any Payments).self)
    expectOnlyDoublesResolved(except: (any Payments).self, (any Mailer).self)
    expectOnlyDoublesResolved(except: [(any Payments).self, (any Mailer).self])
  }

  @Test("hold for doubles", .sandbox)
  func doubles() {
    shop.register { FakePayments() as any Payments }
    _ = shop.resolve((any Payments).self)
    expectOnlyDoublesResolved()
  }

  @Test("fail where nothing was resolved")
  func nothing() {
    let line: UInt = #line
    expectIssue(
      """
      Expected `any Payments` to be resolved, but it was not.

      Nothing was resolved.
      """, atLine: line + 7
    ) { expectResolved((any Payments).self) }
  }

  @Test("fail with what was resolved instead, what comes close and what was missing")
  func notResolved() {
    let line: UInt = #line
    _ = shop.resolve((any Payments).self, name: "card")
    _ = shop.optional((any Payments).self, name: "cash")
    _ = shop.resolve((any Mailer).self)
    expectIssue(
      """
      Expected `any Payments "cash"` to be resolved, but it was not.

        close:   `any Payments "card"` was resolved, under another name
        close:   `any Payments` was resolved, under another name
        missed:  requested at DITestingTests/ExpectationTests.swift:\(line + 2), in \
      \(shop.core.label)

      Resolved:
        any Payments "card"  — created live, graph, \(shop.core.label)
        any Payments "cash"  — missing in \(shop.core.label)
        any Mailer  — created live, graph, \(shop.core.label)
          any Payments  — created live, cached, \(shop.core.label)
      """, atLine: line + 19
    ) { expectResolved((any Payments).self, name: "cash") }
  }

  @Test("fail with the class that was asked for in place of its protocol")
  func otherType() {
    let shop = Resolver { $0.register { LivePayments() } }
    _ = shop.resolve(LivePayments.self)
    let line: UInt = #line
    expectIssue(
      """
      Expected `any Payments` to be resolved, but it was not.

        close:  `LivePayments` was resolved, not `any Payments`

      Resolved:
        LivePayments  — created live, graph, \(shop.core.label)
      """, atLine: line + 10
    ) { expectResolved((any Payments).self) }
  }

  @Test("fail with the number of requests, where that is not the one expected")
  func times() {
    _ = shop.resolve((any Payments).self)
    _ = shop.resolve((any Payments).self, name: "card")
    let line: UInt = #line
    expectIssue(
      """
      Expected `any Payments` to be resolved 1 time, but it was resolved 2 times.

      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
        any Payments "card"  — created live, graph, \(shop.core.label)
      """, atLine: line + 9
    ) { expectResolved((any Payments).self, times: 1) }
  }

  @Test("fail with the number of instances, where that is not the one expected")
  func built() {
    _ = shop.resolve((any Payments).self)
    _ = shop.resolve((any Payments).self)
    let line: UInt = #line
    expectIssue(
      """
      Expected `any Payments` to be built 2 times, but it was built 1 time.

      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
        any Payments  — kept live, cached, \(shop.core.label)
      """, atLine: line + 9
    ) { expectResolved((any Payments).self, times: 2, built: 2) }
  }

  @Test("fail with the places of requests that were not to be made")
  func resolved() {
    let line: UInt = #line
    _ = shop.resolve((any Mailer).self)
    _ = shop.resolve((any Payments).self)
    expectIssue(
      """
      Expected `any Payments` not to be resolved, but it was resolved 2 times.

        requested:  DITestingTests/ExpectationTests.swift:\(line - 116)
        requested:  DITestingTests/ExpectationTests.swift:\(line + 2)

      Resolved:
        any Mailer  — created live, graph, \(shop.core.label)
          any Payments  — created live, cached, \(shop.core.label)
        any Payments  — kept live, cached, \(shop.core.label)
      """, atLine: line + 15
    ) { expectNotResolved((any Payments).self) }
  }

  @Test("fail with the first service that breaks the order")
  func order() {
    _ = shop.resolve((any Payments).self)
    _ = shop.resolve((any Mailer).self)
    let resolved = """
      Resolved:
        any Payments  — created live, cached, \(shop.core.label)
        any Mailer  — created live, graph, \(shop.core.label)
          any Payments  — kept live, cached, \(shop.core.label)
      """
    let line: UInt = #line
    expectIssue(
      """
      Expected to be resolved in this order: any Mailer, any Mailer. But `any Mailer` was not \
      resolved after `any Mailer`.

      \(resolved)
      """, atLine: line + 8
    ) { expectResolved(inOrder: (any Mailer).self, (any Mailer).self) }
    expectIssue(
      """
      Expected to be resolved in this order: Basket, any Payments. But `Basket` was not resolved.

      \(resolved)
      """, atLine: line + 15
    ) { expectResolved(inOrder: Basket.self, (any Payments).self) }
  }

  @Test("fail with each live service once")
  func live() {
    let line: UInt = #line
    for _ in 0..<2 {
      _ = shop.resolve((any Payments).self)
    }
    _ = shop.resolve((any Mailer).self)
    let label = shop.core.label
    let file = "DITestingTests/ExpectationTests.swift"
    expectIssue(
      """
      Expected only doubles to be resolved, but 2 live services were.

        live:  `any Payments` in \(label), registered at \(file):\(line - 166), requested at \
      \(file):\(line + 2)
        live:  `any Payments` in \(label), registered at \(file):\(line - 166), requested at \
      \(file):\(line - 164)

      To fix this:
        - Register a double: `mock.register { … as any Payments }`.
        - If it may be live, exclude it: `except: (any Payments).self`.

      Resolved:
        any Payments  — created live, cached, \(label)
        any Payments  — kept live, cached, \(label)
        any Mailer  — created live, graph, \(label)
          any Payments  — kept live, cached, \(label)
      """, atLine: line + 26
    ) { expectOnlyDoublesResolved(except: (any Mailer).self) }
  }

  /// They have no result: a result that is dropped does not compile where the closures around have
  /// but one expression each.
  @Test("are expected to fail in a closure of one expression, with a recorder of its own")
  func knownIssues() async {
    let line = #line + 2
    withKnownIssue {
      withRecorder(ResolutionRecorder()) { expectResolved(Basket.self) }
    } matching: {
      $0.sourceLocation?.line == line
    }
    withKnownIssue { withSandbox { expectResolved(Basket.self) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { withRecorder(ResolutionRecorder()) { expectNotResolved(Basket.self) } }
      group.addTask {
        withKnownIssue { withRecorder(ResolutionRecorder()) { expectResolved(\.courier) } }
      }
    }
  }
}

@Suite("Expectations without a recorder")
struct ExpectationsWithoutRecorderTests {
  private static let recording = """
      - Add the `.recorded` trait to the test or suite, or inherit from `SandboxTestCase`.
      - Or wrap the code and the expectation: `withRecorder(ResolutionRecorder()) { … }`.
    """

  private static func text(_ line: UInt, _ fixes: String = recording) -> String {
    """
    No recorder is active, so this expectation cannot be checked.

      expected:  DITestingTests/ExpectationTests.swift:\(line)

    To fix this:
    \(fixes)
    """
  }

  @Test("fail, all of them, and say how to record")
  func all() {
    let line: UInt = #line
    expectIssue(Self.text(line + 1), atLine: line + 1) { expectResolved(Basket.self) }
    expectIssue(Self.text(line + 2), atLine: line + 2) { expectNotResolved(Basket.self) }
    expectIssue(Self.text(line + 3), atLine: line + 3) { expectResolved(inOrder: Basket.self) }
    expectIssue(Self.text(line + 4), atLine: line + 4) { expectOnlyDoublesResolved() }
    expectIssue(Self.text(line + 5), atLine: line + 5) { expectResolved(\.courier) }
    expectIssue(Self.text(line + 6), atLine: line + 6) { expectNotResolved(\.courier) }
    expectIssue(Self.text(line + 7), atLine: line + 7) { expectResolved(inOrder: \.courier) }
  }

  @Test("say to carry the context, in a task that has none", .sandbox)
  func detached() async {
    let carry =
      "  - Carry the test's context to its task or thread: `ResolutionContext.carrying { … }`."
    await Task.detached {
      let line: UInt = #line
      expectIssue(Self.text(line + 1, carry), atLine: line + 1) { expectResolved(Basket.self) }
    }.value
  }

  @Test("hold where a recorder listens around them")
  func withRecorderAround() {
    withRecorder(ResolutionRecorder()) { expectNotResolved(Basket.self) }
  }
}
