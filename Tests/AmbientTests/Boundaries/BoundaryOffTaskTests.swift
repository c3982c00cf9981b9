import DIContainer
@testable import DITesting
import Testing

// Each in a process of its own: in this one, other tests' sandboxes are open too, and what belongs
// to no test is reported to the process.

private func collecting(_ body: (Lock<[DiagnosticIssue]>) async -> Void) async {
  let issues = Lock<[DiagnosticIssue]>([])
  ProcessHooks.bind(ProcessHooks(report: { issue in issues.withLock { $0.append(issue) } }))
  await body(issues)
}

/// Opens a test's sandbox, with boundaries refused inside it, as the traits do.
private func boundarySandbox(
  _ name: String, refused: FramePolicy = refusing(),
  _ operation: nonisolated(nonsending) () async -> Void
) async {
  await ScopeOpener(
    .sandbox, name: name, isTest: true, location: CodeLocation(),
    report: { ProcessHooks.current.report($0) }
  ).run {
    let inner = ScopeOpener(
      .plain, caches: .none, policy: refused, name: name, isTest: true, location: CodeLocation())
    inner.frame.applyPolicyOutside()
    await inner.run(operation)
  }
}

@Suite("A request for a live boundary that belongs to no test")
struct BoundaryOffTaskTests {
  @Test("is refused by the only test whose sandbox is open")
  func one() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues in
        // The code of a macro's closure is at the macro's line.
        let line: UInt = #line
        await boundarySandbox("checkout") {
          await Task.detached {
            #expect(boundaryShop.optional((any Gateway).self) == nil)
            let error = #expect(throws: ResolutionError.self) {
              try boundaryShop.require(Purchase.self)
            }
            #expect(error?.reason == .boundary("network"))
            await #expect(throws: ResolutionError.self) {
              try await boundaryShop.requireAsync((any Gateway).self)
            }
            #expect(boundaryShop.resolveMany((any Gateway).self).isEmpty)
            _ = try? BoundaryYard.shared.gateway.require()
          }.value
          // The report is that test's, at its end: here it would be nobody's.
          #expect(issues.withLock { $0 }.isEmpty)
        }
        let errors = issues.withLock { $0 }.filter { $0.severity == .error }
        #expect(
          errors.first?.text
            == refusal(
              requested: "AmbientTests/BoundaryOffTaskTests.swift:\(line)",
              registered: gatewayLine, boundaryShop.core.label, by: "work that belongs to no test"))
        #expect(
          errors.map(\.headline) == [
            refusal, #"A live boundary was requested: `gateway: any Gateway` is behind "network"."#,
          ])
      }
    }
  }

  @Test("gets that test's double, if it has one")
  func doubled() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues in
        await boundarySandbox("checkout") {
          boundaryShop.register { GatewayDouble() as any Gateway }
          await Task.detached {
            #expect(boundaryShop.resolve((any Gateway).self) is GatewayDouble)
          }.value
        }
        #expect(issues.withLock { $0 }.isEmpty)
      }
    }
  }

  @Test("is refused if all tests do whose sandboxes are open, and only then")
  func several() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues in
        await boundarySandbox("one") {
          await ContextFrame.$bound.withValue(nil) {
            await boundarySandbox("two") {
              boundaryShop.register { GatewayDouble() as any Gateway }.mayBeUnused()
              await Task.detached {
                #expect(boundaryShop.optional((any Gateway).self) == nil)
              }.value
            }
            #expect(issues.withLock { $0 }.map(\.headline).filter { $0 == refusal } == [refusal])
            await boundarySandbox("three", refused: refusing("network")) {
              await Task.detached {
                #expect(boundaryShop.optional((any Gateway).self) is LiveGateway)
              }.value
            }
          }
        }
      }
    }
  }
}
