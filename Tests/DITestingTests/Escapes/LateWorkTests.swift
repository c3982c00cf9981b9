@testable import DITesting
import Testing

@Suite("Work that outlives its sandbox")
struct LateWorkTests {
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  /// Leaves work behind that starts once the sandbox is over, and gives what it and the sandbox
  /// reported.
  private func late<Result: Sendable>(
    _ policy: FramePolicy? = nil, at location: CodeLocation = CodeLocation(),
    in kind: FrameKind = .sandbox, _ setUp: () -> Void = {},
    work: @escaping @Sendable () -> Result
  ) async -> (Result, [DiagnosticIssue]) {
    let issues = Issues()
    let (over, end) = AsyncStream<Void>.makeStream()
    let opener = ScopeOpener(
      kind, installed: kind == .sandbox ? nil : Resolver(), policy: policy, name: "checkout",
      location: location, report: issues.handler)
    let task = opener.run { () -> Task<Result, Never> in
      setUp()
      return Task {
        for await _ in over {}
        return work()
      }
    }
    end.finish()
    return (await task.value, issues.all)
  }

  @Test("gets no live service among all of a type, and is reported once")
  func many() async {
    let (text, issues) = await late {
    } work: { [shop] in
      let answer = Result { try shop.requireMany((any Payments).self).count }
      return "\(answer)"
    }
    #expect(
      text.hasPrefix("failure(`any Payments` was requested for a test that has ended: "), "\(text)")
    #expect(issues.count == 1)
  }

  @Test("is reported where an async factory goes on that began in time")
  func awaited() async {
    let issues = Issues()
    let (over, end) = AsyncStream<Void>.makeStream()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let shop = Resolver { r in
      r.registerAsync { Basket() }
      r.registerAsync { r -> [Basket] in
        begin.finish()
        for await _ in over {}
        return [try await r.requireAsync(Basket.self)]
      }
    }
    let task = await ScopeOpener(
      .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
    ).run {
      let task = Task { try? await shop.requireAsync([Basket].self).count }
      for await _ in begun {}
      return task
    }
    end.finish()
    #expect(await task.value == nil)
    let headline = "`Basket` was resolved for a test that has ended."
    #expect(issues.all.map { $0.text.hasPrefix(headline) } == [true])
  }

  @Test("is reported as that of a scoped root where it outlives one")
  func scopedRoot() async {
    let (_, issues) = await late(in: .root) {
    } work: { [shop] in
      _ = shop.optional((any Payments).self)
    }
    #expect(
      issues.map(\.headline) == [
        "`any Payments` was resolved for a scoped root that has ended."
      ])
  }

  @Test("gets its test's double, and is reported with its test")
  func double() async {
    let location = CodeLocation()
    let line = #line + 6
    let (label, issues) = await late(at: location) {
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
    } work: { [shop] in
      // The request:
      shop.resolve((any Payments).self).label
    }
    #expect(label == "fake")
    let text = """
      `any Payments` was resolved for a test that has ended.

        test:       gets its test's double, and is reported with its test
        opened:     \(location)
        requested:  DITestingTests/LateWorkTests.swift:\(line)
        thread:     another than main

      To fix this:
        - Let the test wait for the work it starts: await it, or cancel it.
      """
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.line) == [UInt(line)])
  }

  @Test("gets its test's double though another test has replaced the process's root since")
  func otherRoot() async {
    await #expect(processExitsWith: .success) {
      await collecting { _, _ in
        let issues = Issues()
        Resolver.production { Resolver.register { LivePayments() as any Payments } }
        let (over, end) = AsyncStream<Void>.makeStream()
        let task = ScopeOpener(
          .sandbox, name: "checkout", isTest: true, location: CodeLocation(), report: issues.handler
        ).run {
          Resolver.register { FakePayments() as any Payments }
          return Task {
            for await _ in over {}
            return Resolver.optional((any Payments).self)?.label
          }
        }
        Resolver.root = Resolver()
        end.finish()
        #expect(await task.value == "fake")
        #expect(
          issues.all.map(\.headline).last
            == "`any Payments` was resolved for a test that has ended.")
      }
    }
  }

  @Test("gets no live service: `require` throws and says so")
  func live() async {
    let line: UInt = #line + 3
    let (error, issues) = await late { [shop] in
      do throws(ResolutionError) {
        _ = try shop.require((any Payments).self).label
        return ResolutionError?.none
      } catch {
        return error
      }
    }
    #expect(error?.reason == .late(test: "gets no live service: `require` throws and says so"))
    #expect(error?.requestedAt.line == line)
    #expect(
      error?.description == """
        `any Payments` was requested for a test that has ended: gets no live service: `require` \
        throws and says so.

          requested:   DITestingTests/LateWorkTests.swift:\(line)
          registered:  DITestingTests/LateWorkTests.swift:7

        To fix this:
          - Let the test wait for the work it starts: await it, or cancel it.
        """)
    #expect(issues.count == 1)
  }

  @Test("gets no live service by key path either, and says so")
  func byKeyPath() async {
    let line: UInt = #line + 3
    let (error, _) = await late {
      do throws(ResolutionError) {
        _ = try FindingDepot.shared.basket.require()
        return ResolutionError?.none
      } catch {
        return error
      }
    }
    #expect(
      error?.description == """
        `basket: Basket` was requested for a test that has ended: gets no live service by key \
        path either, and says so.

          requested:   DITestingTests/LateWorkTests.swift:\(line)
          registered:  DITestingTests/FindingWorld.swift:15

        To fix this:
          - Let the test wait for the work it starts: await it, or cancel it.
        """)
  }

  @Test("gets nil for a live service where it asks with `optional`")
  func optional() async {
    let (labels, issues) = await late { [shop] in
      [
        shop.optional((any Payments).self)?.label, (shop.resolve() as (any Payments)?)?.label,
      ]
    }
    #expect(labels == [nil, nil])
    #expect(issues.count == 2)
  }

  @Test("gets a fallback's double")
  func fallback() async {
    var policy = FramePolicy()
    policy.fallbacks = [
      Fallback { key in
        key.type == (any Payments).self ? FakePayments("fallback") : nil
      }
    ]
    let (label, _) = await late(policy) { [shop] in shop.resolve((any Payments).self).label }
    #expect(label == "fallback")
  }

  @Test("is reported once, not for everything that it asks for in turn")
  func once() async {
    let (label, issues) = await late {
      shop.register { FakePayments() as any Payments }
      shop.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      _ = shop.resolve((any Mailer).self)
    } work: { [shop] in
      shop.resolve((any Mailer).self).payments.label
    }
    #expect(label == "fake")
    #expect(issues.count == 1)
  }

  @Test(
    "fails, warns or is silent as the sandbox says", arguments: [Strictness.fail, .warn, .off])
  func treatment(_ treatment: Strictness) async {
    var policy = FramePolicy()
    policy.lateWork = treatment
    let (label, issues) = await late(policy) {
      shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
    } work: { [shop] in
      shop.resolve((any Payments).self).label
    }
    #expect(label == "fake")
    #expect(issues.map(\.severity) == (treatment.severity.map { [$0] } ?? []))
  }

  @Test("of a layer alone is reported, and gets what the layer and production register")
  func layer() async {
    let location = CodeLocation()
    let line = #line + 2
    let (label, issues) = await late(at: location, in: .layer) { [shop] in
      shop.resolve((any Payments).self).label
    }
    #expect(label == "live")
    #expect(
      issues.map(\.text) == [
        """
        `any Payments` was resolved for a layer that has ended.

          test:       of a layer alone is reported, and gets what the layer and production register
          opened:     \(location)
          requested:  DITestingTests/LateWorkTests.swift:\(line)
          thread:     another than main

        To fix this:
          - Let the test wait for the work it starts: await it, or cancel it.
        """
      ])
  }

  @Test("of a sandbox in a test that goes on is told from work of the test")
  func inner() async {
    await withSandbox {
      shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
      let location = CodeLocation()
      let line = #line + 2
      let (label, issues) = await late(at: location) { [shop] in
        shop.resolve((any Payments).self).label
      }
      #expect(label == "fake")
      #expect(
        issues.map(\.text) == [
          """
          `any Payments` was resolved for a sandbox that has ended.

            test:       of a sandbox in a test that goes on is told from work of the test
            opened:     \(location)
            requested:  DITestingTests/LateWorkTests.swift:\(line)
            thread:     another than main

          To fix this:
            - Let the test wait for the work it starts: await it, or cancel it.
          """
        ])
    }
  }

  @Test("keeps nothing in the sandbox that is gone")
  func caches() async {
    let (isSame, _) = await late {
      shop.register { FakePayments() as any Payments }.scope(.cached)
      _ = shop.resolve((any Payments).self)
    } work: { [shop] in
      shop.resolve((any Payments).self) === shop.resolve((any Payments).self)
    }
    #expect(!isSame)
  }

  @Test("traps where it asks with `resolve` for a live service, and is reported before")
  func traps() async {
    let line = #line + 1
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver { r in r.register { LivePayments() as any Payments } }
      let context = ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(),
        report: { writeError($0.text) }
      ).run { ResolutionContext.current }
      context.run { _ = shop.resolve((any Payments).self) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // Within the macro, all lines are the line of the macro.
    let place = "DITestingTests/LateWorkTests.swift:\(line)"
    let late = """
      `any Payments` was resolved for a test that has ended.

        test:       checkout
        opened:     \(place)
        requested:  \(place)
        thread:     another than main

      To fix this:
        - Let the test wait for the work it starts: await it, or cancel it.

      """
    let diagnosis = """
      `any Payments` was requested for a test that has ended: checkout.

        requested:   \(place)
        registered:  \(place)

      To fix this:
        - Let the test wait for the work it starts: await it, or cancel it.

      """
    let expected = late + diagnosis + "\(place): Fatal error: " + diagnosis
    #expect(text.prefix(expected.count) == expected)
  }
}
