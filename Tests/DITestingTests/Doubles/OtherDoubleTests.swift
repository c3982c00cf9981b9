@testable import DITesting
import Testing

extension Container {
  fileprivate var desk: Factory<any Gateway> { self { LiveGateway() } }
}

@Suite("A call of another double")
struct OtherDoubleTests {
  private static let file = "DITestingTests/OtherDoubleTests.swift"

  @Test("is told from that of a double that is registered nowhere", .sandbox)
  func unregistered() throws {
    let line: UInt = #line
    double(GatewayDouble()).charge.returns("ref")
    let mine = GatewayDouble()
    _ = try Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called 1 time, but it was called 0 times.

        called:    another double, registered at \(Self.file):\(line + 1)
        this one:  not known to be registered

      To fix this:
        - Register one double, and expect calls of what `double(…)` returned.

      Called:
        Gateway.charge(cents: 1, customer: "Ann")  — returned "ref"
      """, atLine: line + 17
    ) { expectCalled(mine.charge, times: 1) }
  }

  @Test("is looked for in vain where the double is registered nowhere, which is said", .sandbox)
  func calledNowhere() {
    let mine = GatewayDouble()
    let line: UInt = #line
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called, but it was not.

        this one:  not known to be registered

      To fix this:
        - If the code under test resolves it, register it: `double(…)`.

      No stub was called.
      """, atLine: line + 12
    ) { expectCalled(mine.charge) }
    let told = findings { GatewayDouble().charge.returns("ref") }
    #expect(
      told.map(\.text) == [
        """
        `Gateway.charge(_:for:)` was stubbed and never called.

          stubbed:   \(Self.file):\(line + 13)
          this one:  not known to be registered

        To fix this:
          - If the code under test resolves it, register it: `double(…)`.
          - Remove it, or check that the code under test makes the call.
          - If it serves several tests, mark it: `.lenient()` on the stub, or the `.lenient` trait.
        """
      ])
  }

  @Test("is looked for in vain where a property of its service was resolved", .sandbox)
  func property() throws {
    let line: UInt = #line
    let mine = double(GatewayDouble())
    _ = try Container.shared.desk().charge(1, for: "Ann")
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called, but it was not.

        close:  the property `\\Container.desk` was resolved live (\(Self.file):\(line + 2))

      To fix this:
        - If it is for that, register it so: `double(…, for: \\Container.desk)`.

      No stub was called.
      """, atLine: line + 14
    ) { expectCalled(mine.charge) }
  }

  @Test("is told where that double has been released since", .sandbox)
  func released() throws {
    Resolver.register { GatewayDouble().lenient() as any Gateway }
    #expect(try Resolver.resolve((any Gateway).self).charge(1, for: "Ann") == "")
    let mine = GatewayDouble()
    let line: UInt = #line
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called 1 time, but it was called 0 times.

        called:    another double, registered at \(Self.file):\(line - 3), which is gone
        this one:  not known to be registered

      To fix this:
        - Register one double, and expect calls of what `double(…)` returned.

      Called:
        Gateway.charge(_:for:)  — 1 time, on doubles that are gone
      """, atLine: line + 14
    ) { expectCalled(mine.charge, times: 1) }
  }

  @Test("is told where `register` replaced the double, and the other one has been released since")
  func replacedByOther() throws {
    withSandbox {
      let line: UInt = #line
      let mine = double(GatewayDouble())
      Resolver.register { GatewayDouble().lenient() as any Gateway }
      _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
      expectIssue(
        """
        Expected `Gateway.charge(_:for:)` to be called, but it was not.

          called:    another double, registered at \(Self.file):\(line + 2), which is gone
          this one:  registered at \(Self.file):\(line + 1), and replaced at \(Self.file):\(line + 2)

        To fix this:
          - Register one double, and expect calls of what `double(…)` returned.

        Called:
          Gateway.charge(_:for:)  — 1 time, on doubles that are gone
        """, atLine: line + 17
      ) { expectCalled(mine.charge) }
    }
  }

  @Test("is told where a sandbox inside had it, which has ended")
  func sandboxInside() throws {
    withSandbox {
      let line: UInt = #line
      let mine = double(GatewayDouble())
      withSandbox {
        double(GatewayDouble().lenient())
        _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
      }
      _ = Resolver.resolve((any Gateway).self)
      expectIssue(
        """
        Expected `Gateway.charge(_:for:)` to be called, but it was not.

          called:    another double, registered at \(Self.file):\(line + 3), which is gone
          this one:  registered at \(Self.file):\(line + 1), and replaced at \(Self.file):\(line + 3)

        To fix this:
          - Register one double, and expect calls of what `double(…)` returned.

        Called:
          Gateway.charge(_:for:)  — 1 time, on doubles that are gone
        """, atLine: line + 20
      ) { expectCalled(mine.charge) }
    }
  }

  @Test("is told where a layer's double, which came before, hides the expected one")
  func hidden() {
    withSandbox {
      let line: UInt = #line + 2
      withLayer {
        $0.register { GatewayDouble().lenient() as any Gateway }
      } operation: {
        let mine = double(GatewayDouble())
        _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
        expectIssue(
          """
          Expected `Gateway.charge(_:for:)` to be called, but it was not.

            called:    another double, registered at \(Self.file):\(line), which is gone
            this one:  registered at \(Self.file):\(line + 2), and hidden by that of a layer, at \
          \(Self.file):\(line)

          To fix this:
            - Register one double, and expect calls of what `double(…)` returned.

          Called:
            Gateway.charge(_:for:)  — 1 time, on doubles that are gone
          """, atLine: line + 18
        ) { expectCalled(mine.charge) }
      }
    }
  }

  @Test("is marked in the list where the expected double was called, too")
  func listed() throws {
    withSandbox {
      let line: UInt = #line
      let mine = double(PostboxDouble())
      Resolver.resolve((any Postbox).self).send("x")
      double(PostboxDouble())
      Resolver.resolve((any Postbox).self).send("y")
      expectIssue(
        """
        Expected `Postbox.send(_:)` to be called with such arguments, but it was called 1 time \
        with others.

        Called:
          Postbox.send("x")
          Postbox.send("y")  (on another double, registered at \(Self.file):\(line + 3))
        """, atLine: line + 14
      ) { expectCalled(mine.send) { $0 == "y" } }
    }
  }

  @Test("is looked for in vain where the double was handed over, of which nothing is said")
  func handedOver() {
    withSandbox {
      let mine = PostboxDouble()
      mine.send("Receipt")
      let line: UInt = #line
      expectIssue(
        """
        Expected `Postbox.newest()` to be called, but it was not.

        Called:
          Postbox.send("Receipt")
        """, atLine: line + 8
      ) { expectCalled(mine.newestStub) }
    }
  }

  @Test("is told from that of a double which it replaced, which is a warning, too")
  func replaced() {
    let line: UInt = #line + 2
    let issues = findings {
      let first = double(GatewayDouble())
      let second = double(GatewayDouble())
      second.charge.returns("ref")
      _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
      expectCalled(second.charge)
      #expect(first.charge.calls.isEmpty)
      #expect(
        CallReport(about: [first.charge.log]).missedCall(of: first.charge.log)?.facts.map(\.1) == [
          "another double, registered at \(Self.file):\(line + 1)",
          "registered at \(Self.file):\(line), and replaced at \(Self.file):\(line + 1)",
        ])
    }
    #expect(
      issues.map(\.text) == [
        """
        `any Gateway` has two doubles here: this one replaces another that nothing resolved.

          first:   \(Self.file):\(line)
          second:  \(Self.file):\(line + 1)

        To fix this:
          - Register one of them, and use what `double(…)` returns.
        """
      ])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.line) == [line + 1])
  }

  @Test("is nothing to speak of where the first double was resolved, or other code registered it")
  func fine() {
    func setUp() { double(GatewayDouble()) }
    let issues = findings {
      setUp()
      let first = double(GatewayDouble())
      _ = Resolver.resolve((any Gateway).self)
      let second = double(GatewayDouble())
      #expect(first !== second)
      _ = Resolver.resolve((any Gateway).self)
      double(PostboxDouble(), name: "a")
      double(PostboxDouble(), name: "b")
      _ = Resolver.resolve((any Postbox).self, name: "a")
      _ = Resolver.resolve((any Postbox).self, name: "b")
    }
    #expect(issues == [])
  }
}

@Suite("A double that something holds which outlives its test")
struct OutlivingDoubleTests {
  private func test(
    _ name: String, at line: UInt, _ issues: Issues, _ body: () throws -> Void
  ) rethrows {
    try ScopeOpener(
      .sandbox, name: name, isTest: true, location: .test(line), report: issues.handler
    ).run(body)
  }

  @Test("is reported to the test that calls it, once, with both tests and the request")
  func outlives() throws {
    let (first, second) = (Issues(), Issues())
    var held: (any Postbox)?
    let line: UInt = #line
    test("a()", at: 1, first) {
      double(PostboxDouble())
      held = Resolver.resolve((any Postbox).self)
    }
    #expect(first.all == [])
    test("b()", at: 5, second) {
      held?.send("Hello")
      held?.send("again")
    }
    let file = "DITestingTests/OtherDoubleTests.swift"
    #expect(
      second.all == [
        DiagnosticIssue(
          text: """
            `a()`'s double was called in `b()`: something that outlives tests holds it, resolved at \
            \(file):\(line + 3).

              called:      Postbox.send("Hello")
              registered:  \(file):\(line + 2)
              test:        a(), at DITestingTests/Test.swift:1

            To fix this:
              - Let what holds it resolve at each use: `@LazyInjected`, `@DynamicInjected`.
              - Or let the container make what holds it, in a scope such as `.singleton`: each \
            sandbox then has one of its own.
            """, severity: .error, location: .test(5))
      ])
  }

  @Test("is one report only where nothing is stubbed for the call, too")
  func unstubbed() throws {
    let (first, second) = (Issues(), Issues())
    var held: PostboxDouble?
    test("a()", at: 1, first) {
      held = double(PostboxDouble())
      _ = Resolver.resolve((any Postbox).self)
    }
    test("b()", at: 5, second) { #expect(held?.newest() == nil) }
    #expect(first.all == [])
    #expect(second.all.count == 1)
  }

  @Test("is one report only where the calling test has an own double for it")
  func unused() throws {
    let (first, second) = (Issues(), Issues())
    var held: (any Postbox)?
    let line: UInt = #line + 3
    test("a()", at: 1, first) {
      double(PostboxDouble())
      held = Resolver.resolve((any Postbox).self)
    }
    test("b()", at: 5, second) {
      double(PostboxDouble()).newestStub.returns("b")
      held?.send("Hello")
    }
    #expect(
      second.all.map(\.headline) == [
        "`a()`'s double was called in `b()`: something that outlives tests holds it, resolved at "
          + "DITestingTests/OtherDoubleTests.swift:\(line)."
      ])
  }

  @Test("is no other test's where its own test calls it after a sandbox of its own has ended")
  func ownTest() {
    let issues = Issues()
    var held: PostboxDouble?
    test("a()", at: 1, issues) {
      withSandbox {
        held = double(PostboxDouble())
        _ = Resolver.resolve((any Postbox).self)
      }
      held?.send("Hello")
    }
    #expect(issues.all == [])
  }
}

@Suite("An expectation off the test's task")
struct DetachedExpectationTests {
  private func expected(
    _ body: @escaping @Sendable (GatewayDouble) async -> Void
  ) async -> (during: [String], after: [String]) {
    let issues = Issues()
    var during: [String] = []
    await ScopeOpener(
      .sandbox, recorder: ResolutionRecorder(), name: "buys", isTest: true, location: .test(1),
      report: issues.handler
    ).run {
      let gateway = double(GatewayDouble())
      gateway.lenient()
      _ = Resolver.resolve((any Gateway).self)
      await Task.detached { await body(gateway) }.value
      during = issues.all.map(\.headline)
    }
    return (during, issues.all.map(\.headline))
  }

  @Test("fails the double's test, when its sandbox ends")
  func calls() async {
    let (during, after) = await expected { gateway in
      expectCalled(gateway.charge)
      _ = gateway.limit
      expectNotCalled(gateway.getLimit)
      expectCalls(inOrder: gateway.getLimit, gateway.charge)
      expectNoOtherCalls(gateway.getLimit)
      await gateway.charge.called(within: .zero)
    }
    #expect(during == [])
    #expect(
      after == [
        "Expected `Gateway.charge(_:for:)` to be called, but it was not.",
        "Expected `Gateway.limit` not to be called, but it was called 1 time.",
        "Expected calls in this order: `Gateway.limit`, `Gateway.charge(_:for:)`. "
          + "But `Gateway.charge(_:for:)` was not called after `Gateway.limit`.",
        "Expected `Gateway.charge(_:for:)` to be called 1 time within 0.0 seconds, "
          + "but it was called 0 times.",
      ])
  }

  @Test("of resolutions fails the test whose context it carries")
  func resolutions() async {
    let issues = Issues()
    await ScopeOpener(
      .sandbox, recorder: ResolutionRecorder(), name: "buys", isTest: true, location: .test(1),
      report: issues.handler
    ).run {
      let expecting = ResolutionContext.carrying { expectResolved((any Gateway).self) }
      await Task.detached { expecting() }.value
      #expect(issues.all == [])
    }
    #expect(
      issues.all.map(\.headline) == ["Expected `any Gateway` to be resolved, but it was not."])
  }

  @Test("of resolutions without a context fails the only test with an open sandbox")
  func withoutContext() async {
    await #expect(processExitsWith: .success) {
      for isOutside in [true, false] {
        let issues = Issues()
        func scope(_ kind: FrameKind) -> ScopeOpener {
          ScopeOpener(
            kind, recorder: kind == .sandbox ? nil : ResolutionRecorder(), name: "buys",
            isTest: true, location: .test(1), report: issues.handler)
        }
        await scope(isOutside ? .plain : .sandbox).run {
          await scope(isOutside ? .sandbox : .plain).run {
            await Task.detached { expectResolved((any Gateway).self) }.value
            #expect(issues.all == [])
          }
        }
        #expect(
          issues.all.map(\.headline)
            == ["Expected `any Gateway` to be resolved, but it was not."])
      }
    }
  }
}
