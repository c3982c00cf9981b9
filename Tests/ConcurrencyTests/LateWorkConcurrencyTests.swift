@testable import DITesting
import Testing

private protocol Payments: AnyObject {
  var label: String { get }
}

private final class LivePayments: Payments {
  let label = "live"
}

private final class FakePayments: Payments {
  let label: String
  init(_ label: String = "fake") { self.label = label }
}

/// What all cases of `LateWorkConcurrencyTests` share: the work that they leave behind.
private final class Overtime: Sendable {
  struct Report: Sendable {
    let number: Int
    let label: String
    let issues: [DiagnosticIssue]
  }

  private let tasks = Lock<[Int: Task<Report, Never>]>([:])

  func add(_ number: Int, _ task: Task<Report, Never>) {
    tasks.withLock { $0[number] = task }
  }

  func take(_ number: Int) -> Task<Report, Never>? {
    tasks.withLock { $0.removeValue(forKey: number) }
  }
}

private let overtime = Overtime()
private let store = Resolver { r in r.register { LivePayments() as any Payments } }

/// Each case ends its sandbox with work left behind, then goes on in the next one while the work
/// of all cases before it may still be under way.
@Suite("Work that outlives its sandbox (concurrency)")
struct LateWorkConcurrencyTests {
  @Test("gets its own test's double and is attributed to it", arguments: 0..<500)
  func attributed(number: Int) async {
    let issues = Lock<[DiagnosticIssue]>([])
    let (over, end) = AsyncStream<Void>.makeStream()
    let (open, next) = AsyncStream<Void>.makeStream()
    let location = CodeLocation(
      fileID: "Shop/Test\(number).swift", filePath: "Test\(number).swift", line: UInt(number + 1),
      column: 1)
    let opener = ScopeOpener(
      .sandbox, name: "test \(number)", location: location,
      report: { issue in issues.withLock { $0.append(issue) } })
    opener.run {
      store.register { FakePayments("double \(number)") as any Payments }
      #expect(store.resolve((any Payments).self).label == "double \(number)")
      let context = ResolutionContext.current
      let isDetached = number.isMultiple(of: 2)
      let work: @Sendable () async -> Overtime.Report = {
        for await _ in over {}
        for await _ in open {}
        let label =
          isDetached
          ? context.run { store.resolve((any Payments).self).label }
          : store.resolve((any Payments).self).label
        return Overtime.Report(number: number, label: label, issues: issues.withLock { $0 })
      }
      overtime.add(number, isDetached ? Task.detached(operation: work) : Task(operation: work))
    }
    end.finish()
    // The work comes while another sandbox of the same task is open: it must not get its double.
    await withSandbox {
      store.register { FakePayments("another") as any Payments }
      next.finish()
      let report = await overtime.take(number)?.value
      #expect(report?.label == "double \(number)")
      let place = report?.issues.first.map { "\($0.location)" } ?? ""
      #expect(
        report?.issues.map(\.text) == [
          """
          `any Payments` was resolved for a test that has ended.

            test:       gets its own test's double and is attributed to it
            opened:     Shop/Test\(number).swift:\(number + 1)
            requested:  \(place)
            thread:     another than main

          To fix this:
            - Let the test wait for the work it starts: await it, or cancel it.
          """
        ])
      // And it has left nothing in this one.
      #expect(store.resolve((any Payments).self).label == "another")
    }
  }
}
