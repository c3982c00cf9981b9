@testable import DITesting
import Testing

/// What stands above a test is set-up that it shares with others, such as a preset.
private func tellInSetUp(_ charge: Stub<Int, String?, Never>) { charge.returns("ref") }

@Suite("A stub that was told something and never called")
struct UnusedStubTests {
  private static let file = "DITestingTests/UnusedStubTests.swift"

  private static func text(_ headline: String, _ line: UInt, call: String? = nil) -> String {
    """
    \(headline)

      stubbed:  \(file):\(line)\(call.map { "\n  called:   \($0)" } ?? "")

    To fix this:
      - Remove it, or check that the code under test makes the call.
      - If it serves several tests, mark it: `.lenient()` on the stub, or the `.lenient` trait.
    """
  }

  private func issues(
    _ strictness: Strictness = .off, _ body: () throws -> Void
  ) -> [DiagnosticIssue] {
    let issues = Issues()
    try? ScopeOpener(
      .sandbox, policy: .strict(strictness, []), name: "buys", isTest: true, location: .test(1),
      report: issues.handler
    ).run(body)
    return issues.all
  }

  @Test("is a warning at the end, and a failure in a strict test")
  func finding() {
    let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
    for (strictness, severity) in [
      (Strictness.off, IssueSeverity.warning), (.warn, .warning), (.fail, .error),
    ] {
      let line: UInt = #line + 3
      let found = issues(strictness) {
        charge.log.adopt(nil, ServiceKey(Int.self), at: .test(2))
        if strictness == .off { charge.returns("ref") }
      }
      guard strictness == .off else {
        #expect(found.map(\.severity) == [severity])
        continue
      }
      #expect(
        found == [
          DiagnosticIssue(
            text: Self.text("`Gateway.refund(_:)` was stubbed and never called.", line),
            severity: severity,
            location: CodeLocation(line: line, column: found.first?.location.column ?? 0))
        ])
    }
  }

  @Test("is found although its double is gone by then")
  func gone() {
    let line: UInt = #line + 5
    let found = issues {
      do {
        let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
        charge.log.adopt(nil, ServiceKey(Int.self), at: .test(2))
        charge.returns("ref")
      }
    }
    #expect(
      found.map(\.text) == [
        Self.text("`Gateway.refund(_:)` was stubbed and never called.", line)
      ])
  }

  @Test("is forgotten with its double where it was not told anything")
  func forgotten() {
    let opener = ScopeOpener(.sandbox, name: "buys", location: .test(1))
    opener.run {
      for _ in 0..<1_000 { _ = Stub<Int, String?, Never>().call(1, default: nil) }
      let kept = Stub<Int, String?, Never>()
      #expect(kept.log.identity.ledger.count == 1)
      #expect(kept.log.identity.ledger.logs.map(\.name) == [kept.name])
    }
  }

  @Test("is a condition that no call met, even though there were calls")
  func condition() {
    let line: UInt = #line + 4
    let found = issues {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      charge.returns("ref")
      charge.when { $0 > 500 }.returns("much")
      _ = charge(1)
    }
    #expect(
      found.map(\.text) == [
        Self.text(
          "No call of `Gateway.refund(_:)` was one that this stub is for.", line,
          call: "Gateway.refund(1)  — returned Optional(\"ref\")")
      ])
  }

  @Test("is no condition that was told of with an unstubbed call")
  func unstubbed() {
    let found = issues {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      charge.when { $0 > 500 }.returns("much")
      _ = charge(1)
    }
    #expect(
      found.map(\.headline) == [
        "`Gateway.refund(_:)` was called, but nothing is stubbed for this call."
      ])
  }

  @Test("is a condition that no call met, although one that was stated later was met")
  func earlierCondition() {
    let line: UInt = #line + 3
    let found = issues {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      charge.when { $0 == 9 }.returns("never")
      charge.when { $0 == 1 }.returns("a")
      #expect(charge(1) == "a")
    }
    #expect(
      found.map(\.text) == [
        Self.text(
          "No call of `Gateway.refund(_:)` was one that this stub is for.", line,
          call: "Gateway.refund(1)  — returned Optional(\"a\")")
      ])
  }

  @Test("is a condition that was stated after the calls that would meet it")
  func tooLate() {
    let line: UInt = #line + 5
    let found = issues {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      charge.returns("ref")
      _ = charge(501)
      charge.when { $0 > 500 }.returns("much")
    }
    #expect(
      found.map(\.text) == [
        Self.text(
          "No call of `Gateway.refund(_:)` was one that this stub is for.", line,
          call: "Gateway.refund(501)  — returned Optional(\"ref\")")
      ])
  }

  @Test("is no condition that a call met, although a later statement returned its result")
  func overridden() {
    let found = issues {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      charge.when { $0 > 500 }.returns("much")
      charge.when { $0 > 500 }.returns("more")
      #expect(charge(501) == "more")
    }
    #expect(found == [])
  }

  @Test("is fine where it is called, lenient, told by set-up code, or where an error came first")
  func fine() {
    struct Suite {
      let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
      init() { charge.returns("ref") }
    }
    #expect(issues { _ = Suite() } == [])
    #expect(
      issues {
        let charge = Stub<Int, String?, Never>()
        charge.lenient()
        charge.returns("ref")
      } == [])
    #expect(
      issues {
        let charge = Stub<Int, String?, Never>()
        charge.throwsNothing("ref")
      } == [])
    #expect(issues { tellInSetUp(Stub<Int, String?, Never>()) } == [])
  }

  @Test("is fine where its double is registered again in a sandbox inside, and called outside")
  func registeredAgain() {
    let found = issues {
      let postbox = double(PostboxDouble())
      postbox.newestStub.returns("Receipt")
      let foundInside = issues {
        double(postbox)
        _ = Resolver.resolve((any Postbox).self)
      }
      #expect(foundInside == [])
      #expect(Resolver.resolve((any Postbox).self).newest() == "Receipt")
    }
    #expect(found == [])
  }

  @Test("is not spoken of where an error ended the test")
  func cutShort() async {
    let issues = Issues()
    try? await ScopeOpener(
      .sandbox, name: "buys", isTest: true, location: .test(1), report: issues.handler
    ).runCase {
      let charge = Stub<Int, String?, Never>()
      charge.returns("ref")
      throw Declined()
    }
    #expect(issues.all.isEmpty)
  }

  @Test("is not spoken of where the test did not run, because its wiring is wrong")
  func neverRan() {
    let issues = Issues()
    let opener = ScopeOpener(
      .sandbox, name: "buys", isTest: true, location: .test(1), report: issues.handler)
    opener.run {
      let charge = Stub<Int, String?, Never>()
      charge.returns("ref")
      opener.frame.wasCutShort()
    }
    #expect(issues.all.isEmpty)
  }
}

extension Stub where Arguments == Int {
  fileprivate func throwsNothing(_ result: Result) where Failure == Never {
    returns(result)
    _ = call(1)
  }
}
