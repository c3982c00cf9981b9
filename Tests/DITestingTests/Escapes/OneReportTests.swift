@testable import DITesting
import Testing

// A cause is reported once, and what follows from it is not: each test in a process of its own, see
// UnscopedWorld.swift.

/// Opens the sandbox of a strict test, whose issues a collector gets.
private func strictTest(
  _ issues: Issues, at location: CodeLocation, _ body: nonisolated(nonsending) () async -> Void
) async {
  await ScopeOpener(
    .sandbox, policy: .strict(.fail, []), name: "buys()", isTest: true, location: location,
    report: issues.handler
  ).run(body)
}

extension Container {
  fileprivate var till: Factory<any Gateway> { self { LiveGateway() } }
}

private let file = "DITestingTests/OneReportTests.swift"

@Suite("One cause has one report")
struct OneReportTests {
  @Test("where a detached task of a strict test got the live service for which it has a double")
  func detached() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.production { Resolver.register { LiveGateway() as any Gateway } }
        let opened = CodeLocation()
        await strictTest(issues, at: opened) {
          let gateway = double(GatewayDouble())
          gateway.charge.returns("ref")
          _ = await Task.detached { Resolver.optional((any Gateway).self) == nil }.value
        }
        #expect(
          issues.all.map(\.text) == [
            """
            `any Gateway` was resolved by work that belongs to no test, while this sandbox was \
            open: it got the live service.

              requested:  \(file):\(#line)
              thread:     another than main
              open:       buys(), at \(opened)

            To fix this:
            \(carryingAdvice)
            """
          ])
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("where the live service was resolved by key path, and the double is registered by type")
  func byKeyPath() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await strictTest(issues, at: CodeLocation()) {
          double(GatewayDouble()).charge.returns("ref")
          _ = Container.shared.till()
        }
        #expect(
          issues.all.map(\.headline) == ["A live service was resolved: `till: any Gateway`."])
      }
    }
  }

  @Test("where the double came too late, whose stubs are not called then")
  func late() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.production { Resolver.register { LiveGateway() as any Gateway } }
        ScopeOpener(
          .sandbox, name: "buys()", isTest: true, location: CodeLocation(), report: issues.handler
        ).run {
          _ = Resolver.resolve((any Gateway).self)
          double(GatewayDouble()).charge.returns("ref")
        }
        #expect(
          issues.all.map(\.headline) == [
            "The double for `any Gateway` was registered too late: "
              + "the live service was resolved before."
          ])
      }
    }
  }

  @Test("where nothing resolved a double, so that nothing called its stubs")
  func unused() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await strictTest(issues, at: CodeLocation()) {
          double(GatewayDouble()).charge.returns("ref")
        }
        #expect(
          issues.all.map(\.headline) == ["The double for `any Gateway` was never resolved."])
      }
    }
  }

  @Test("in each of several tests: that whose double it would have been hears of the cause")
  func several() async {
    await #expect(processExitsWith: .success) {
      await collecting { process, shop in
        let (first, second) = (Issues(), Issues())
        let opened = CodeLocation()
        let (isOpen, open) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        let other = Task {
          await strictTest(second, at: CodeLocation()) {
            open.finish()
            for await _ in closing {}
          }
        }
        for await _ in isOpen {}
        await strictTest(first, at: opened) {
          shop.register { FakePayments() as any Payments }
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        close.finish()
        await other.value
        let request =
          "`any Payments` was resolved by work that belongs to no test, while several sandboxes "
          + "were open: it got the live service."
        #expect(process.all.map(\.headline) == [request])
        #expect(first.all.map(\.headline) == [request])
        #expect(first.all.map(\.severity) == [.error])
        #expect(second.all == [])
      }
    }
  }

  @Test("in each of several tests that have a double for it, at the double's line")
  func each() async {
    await #expect(processExitsWith: .success) {
      await collecting { process, shop in
        let (first, second) = (Issues(), Issues())
        let opened = CodeLocation()
        let (isOpen, open) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        let other = Task {
          await ScopeOpener(
            .sandbox, name: "sells()", isTest: true, location: opened, report: second.handler
          ).run {
            shop.register(line: 901) { FakePayments() as any Payments }
            open.finish()
            for await _ in closing {}
          }
        }
        for await _ in isOpen {}
        await ScopeOpener(
          .sandbox, name: "buys()", isTest: true, location: opened, report: first.handler
        ).run {
          shop.register(line: 900) { FakePayments() as any Payments }
          await Task.detached { _ = shop.resolve((any Payments).self) }.value
        }
        close.finish()
        await other.value
        func text(_ double: UInt) -> String {
          """
          `any Payments` was resolved by work that belongs to no test, while several sandboxes \
          were open: it got the live service.

            requested:  \(file):\(#line)
            thread:     another than main
            open:       sells(), at \(opened)
            open:       buys(), at \(opened)
            double:     \(file):\(double)

          To fix this:
          \(carryingAdvice)
          """
        }
        #expect(first.all.map(\.text) == [text(900)])
        #expect(first.all.map(\.location.line) == [900])
        #expect(second.all.map(\.text) == [text(901)])
        #expect(process.all.count == 1)
      }
    }
  }

  @Test("but a stub of a double that was resolved is one of its own, whatever else was live")
  func resolvedDouble() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.production { Resolver.register { LiveGateway() as any Gateway } }
        await strictTest(issues, at: CodeLocation()) {
          double(GatewayDouble(), name: "card").charge.returns("ref")
          _ = Resolver.resolve((any Gateway).self, name: "card")
          _ = Resolver.resolve((any Gateway).self)
        }
        #expect(
          issues.all.map(\.headline) == [
            "A live service was resolved: `any Gateway`.",
            "`Gateway.charge(_:for:)` was stubbed and never called.",
          ])
      }
    }
  }

  @Test("but the stubs of an unused double are told of where the sandbox is silent about that")
  func silent() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        var policy = FramePolicy()
        policy.unusedDoubles = .off
        ScopeOpener(
          .sandbox, policy: policy, name: "buys()", isTest: true, location: CodeLocation(),
          report: issues.handler
        ).run {
          double(GatewayDouble()).charge.returns("ref")
        }
        #expect(
          issues.all.map(\.headline) == ["`Gateway.charge(_:for:)` was stubbed and never called."])
      }
    }
  }

  @Test("but a value by another name than the live one is another thing")
  func names() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.production { Resolver.register(name: "region") { "eu" } }
        await strictTest(issues, at: CodeLocation()) {
          Resolver.register(name: "apiKey", line: 900) { "test" }
          _ = Resolver.resolve(String.self, name: "region")
        }
        #expect(
          issues.all.map(\.headline) == [
            "A live service was resolved: `String \"region\"`.",
            "The double for `String \"apiKey\"` was never resolved.",
          ])
        #expect(issues.all.map(\.location.line) == [#line, 900])
      }
    }
  }

  @Test("where a layer that was left on the process served a strict test's detached task")
  func layerOfProcess() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
        let opened = CodeLocation()
        await strictTest(issues, at: opened) {
          shop.register { FakePayments("own") as any Payments }
          let label = await Task.detached { shop.resolve((any Payments).self).label }.value
          #expect(label != "own")
        }
        #expect(
          issues.all.map(\.text) == [
            """
            `any Payments` was resolved by work that belongs to no test, while this sandbox was \
            open: it got the live service.

              requested:  \(file):\(#line)
              thread:     another than main
              open:       buys(), at \(opened)

            To fix this:
            \(carryingAdvice)
            """
          ])
        #expect(issues.all.map(\.severity) == [.error])
        Resolver.pop(layer)
      }
    }
  }
}
