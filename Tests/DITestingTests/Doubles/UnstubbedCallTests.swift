@testable import DITesting
import Foundation
import Testing

@Suite("A call that nothing is stubbed for")
struct UnstubbedCallTests {
  private static let file = "DITestingTests/UnstubbedCallTests.swift"

  private static func fixes(_ throwing: String = ", `.throws(…)` or ") -> String {
    """
    \(stubIt(throwing))
      - If it does not matter here, mark it: `.lenient()` on the stub, or the `.lenient` trait.
    """
  }

  private static func stubIt(_ throwing: String) -> String {
    """
    To fix this:
      - Stub it before the call: `.returns(…)`\(throwing)`.runs { … }`.
    """
  }

  @Test("throws, and is an issue of the sandbox that the double was registered in")
  func throwing() {
    let gateway = GatewayDouble()
    let line: UInt = #line
    let text = """
      `Gateway.charge(_:for:)` was called, but nothing is stubbed for this call.

        called:      (cents: 650, customer: "Ann")
        registered:  \(Self.file):\(line + 13)
        test:        throws, and is an issue of the sandbox that the double was registered in, at \
      \(Self.file):\(line + 12)

      \(Self.fixes())
      """
    expectIssue(text, atLine: line + 12) {
      withSandbox {
        double(gateway)
        do {
          _ = try Resolver.resolve((any Gateway).self).charge(650, for: "Ann")
          Issue.record("It returned.")
        } catch { #expect("\(error)" == text.prefix { $0 != "\n" }) }
      }
    }
  }

  @Test("is an issue of no test where the double was made by work that belongs to none")
  func madeOutside() async {
    let line: UInt = #line
    await Task.detached {
      let newest = Stub<Void, String?, Never>("Postbox.newest()")
      expectIssue(
        """
        `Postbox.newest()` was called, but nothing is stubbed for this call.

          called:  ()
          made:    \(Self.file):\(line + 2)
          test:    none, the double was made outside all tests

        \(Self.fixes(" or "))
        """, atLine: line + 2
      ) { #expect(newest() == nil) }
    }.value
  }

  @Test("is no issue in an async operation with lenient doubles")
  func lenientAsync() async {
    let newest = Stub<Int, [String], Never>("Postbox.newest(_:)")
    await withLenientDoubles {
      await Task.yield()
      #expect(newest.call(3) == [])
    }
  }

  @Test("is an issue of the test where there is no sandbox, and returns what is empty")
  func empty() throws {
    let line: UInt = #line
    let newest = Stub<Int, [String], Never>("Postbox.newest(_:)")
    let location = try #require(Test.current?.sourceLocation)
    var found: [String] = ["?"]
    expectIssue(
      """
      `Postbox.newest(_:)` was called, but nothing is stubbed for this call.

        called:  (3)
        made:    \(Self.file):\(line + 1)
        test:    is an issue of the test where there is no sandbox, and returns what is empty, at \
      \(Self.file):\(location.line)

      \(Self.fixes(" or "))
      """, atLine: UInt(location.line)
    ) { found = newest(3) }
    #expect(found == [])
  }

  @Test("returns nil, no elements, no pairs or no text", .lenient)
  func obvious() {
    #expect(Stub<Void, Int?, Never>()() == nil)
    #expect(Stub<Void, Set<Int>, Never>()() == [])
    #expect(Stub<Void, [String: Int], Never>()() == [:])
    #expect(Stub<Void, String, Never>()() == "")
    #expect(Stub<Void, (any Sendable)?, Never>()() == nil)
    #expect(Stub<Void, Any?, Never>()() == nil)
  }

  @Test("returns the nil of a generic requirement, which is an issue as any other")
  func genericNil() {
    let issues = findings {
      let value = Stub<String, @Sendable () -> Any?, Never>("Shelf.value(forKey:)")
      #expect(value("tea")() == nil)
      let row = Stub<Int, @Sendable () -> (any Decodable)?, Never>("Shelf.row(_:)")
      #expect(row.call(3)() == nil)
    }
    #expect(
      issues.map(\.headline) == [
        "`Shelf.value(forKey:)` was called, but nothing is stubbed for this call.",
        "`Shelf.row(_:)` was called, but nothing is stubbed for this call.",
      ])
  }

  @Test("names no file that was generated as the place where the stub was made")
  func generated() {
    let issues = findings {
      _ = Stub<Void, Int?, Never>("Gateway.limit", fileID: "ShopTests/GatewayDouble.swift")()
      _ = Stub<Void, Int?, Never>("Gateway.limit", fileID: "ShopTests/GatewayTests.swift")()
    }
    #expect(issues.map { $0.text.contains("made:") } == [false, true])
  }

  @Test("returns zero or false where it can throw nothing, and is an issue")
  func zero() {
    let issues = findings {
      #expect(Stub<Void, Int, Never>("Gateway.limit")() == 0)
      #expect(Stub<Void, Double, Never>("Gateway.rate")() == 0)
      #expect(Stub<Void, UInt8, Never>("Gateway.digit")() == 0)
      #expect(Stub<Void, Duration, Never>("Gateway.delay")() == .zero)
      #expect(Stub<Void, Bool, Never>("Gateway.isOpen")() == false)
      let error = #expect(throws: UnstubbedCall.self) {
        try Stub<Void, Int, any Error>("Gateway.count")()
      }
      #expect(
        error?.description == "`Gateway.count` was called, but nothing is stubbed for this call.")
    }
    #expect(
      issues.map(\.headline)
        == ["limit", "rate", "digit", "delay", "isOpen", "count"].map {
          "`Gateway.\($0)` was called, but nothing is stubbed for this call."
        })
    withLenientDoubles {
      #expect(Stub<Void, Int, Never>()() == 0)
      #expect(Stub<Void, Bool, Never>()() == false)
    }
  }

  @Test(
    "returns what is empty of every collection, and throws for what is only written like one",
    .lenient)
  func notObvious() async {
    #expect(throws: Never.self) {
      #expect(try Stub<Void, Substring, any Error>()() == "")
      #expect(try Stub<Void, ArraySlice<Int>, any Error>()() == [])
      try Stub<Void, Void, any Error>()()
    }
    // In a process of its own: an empty vector traps.
    await #expect(processExitsWith: .success) {
      withLenientDoubles {
        #expect(throws: UnstubbedCall.self) { try Stub<Void, SIMD4<Float>, any Error>()() }
        #expect(throws: UnstubbedCall.self) { try Stub<Void, Route, any Error>()() }
      }
    }
  }

  @Test("tells what was stubbed for other calls, and what is used up")
  func other() {
    let issues = Issues()
    let charge = Stub<Int, String?, Never>("Gateway.refund(_:)")
    let line: UInt = #line
    charge.returns("a", "b")
    charge.when { $0 > 500 }.returns("much")
    ScopeOpener(.sandbox, name: "buys", isTest: true, location: .test(1), report: issues.handler)
      .run {
        charge.log.adopt(nil, ServiceKey(Int.self), at: .test(2))
        #expect(charge(1) == "a")
        #expect(charge(501) == "much")
        #expect(charge(2) == "b")
        #expect(charge(3) == nil)
      }
    #expect(
      issues.all == [
        DiagnosticIssue(
          text: """
            `Gateway.refund(_:)` was called, but nothing is stubbed for this call.

              called:      (3)
              stubbed:     \(Self.file):\(line + 1), 2 results, all used
              stubbed:     \(Self.file):\(line + 2), for other calls
              registered:  DITestingTests/Test.swift:2
              test:        buys, at DITestingTests/Test.swift:1

            \(Self.fixes(" or "))
            """, severity: .error, location: .test(1))
      ])
  }

  @Test("is told by its own test, when its sandbox ends, where it was made elsewhere")
  func elsewhere() async {
    let issues = Issues()
    let newest = Stub<Void, String?, Never>("Postbox.newest()")
    await ScopeOpener(
      .sandbox, name: "buys", isTest: true, location: .test(1), report: issues.handler
    ).run {
      newest.log.adopt(nil, ServiceKey(Int.self), at: .test(2))
      await Task.detached { _ = newest() }.value
      #expect(issues.all.isEmpty)
    }
    #expect(issues.all.map(\.location) == [.test(1)])
  }

  @Test("belongs to the sandbox in which the stub was made, wherever it is called")
  func madeInside() {
    let (mine, other) = (Issues(), Issues())
    ScopeOpener(.sandbox, name: "mine", isTest: true, location: .test(1), report: mine.handler)
      .run {
        let newest = Stub<Void, String?, Never>("Postbox.newest()")
        ScopeOpener(
          .plain, caches: .none, policy: FramePolicy(), name: "mine", isTest: true,
          location: .test(2), report: other.handler
        ).run { _ = newest() }
      }
    #expect(mine.all.map(\.location) == [.test(1)])
    #expect(other.all.isEmpty)
  }

  @Test("is no issue of a lenient stub, double, scope or test", .lenient)
  func lenient() throws {
    let gateway = GatewayDouble()
    #expect(try gateway.charge(1, for: "Ann") == "")
  }

  @Test("throws where anything may be returned, also in a lenient test", .lenient)
  func anything() {
    #expect(throws: UnstubbedCall.self) { try Stub<Int, Any, any Error>("Shelf.row(_:)")(3) }
    #expect(throws: UnstubbedCall.self) {
      try Stub<Int, any Sendable, any Error>("Shelf.row(_:)")(3)
    }
  }

  @Test("is no issue of a lenient stub, of a lenient double, or in a lenient scope")
  func lenientParts() throws {
    let charge = Stub<Void, String, any Error>()
    charge.lenient()
    #expect(throws: Never.self) { try charge() }
    #expect(try Stub<Void, Int, any Error>.lenientOne() == 0)
    #expect(PostboxDouble().lenient().newest() == nil)
    withLenientDoubles { #expect(PostboxDouble().newest() == nil) }
    let made = withLenientDoubles { PostboxDouble() }
    #expect(made.newest() == nil)
  }

  @Test("ends the process where nothing can be returned or thrown, with the same text")
  func traps() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      ScopeOpener(
        .sandbox, name: "buys", location: .test(7), report: { writeError("reported: \($0.text)") }
      ).run {
        let getLimit = Stub<Void, Route, Never>("Gateway.limit")
        _ = getLimit()
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let headline = "`Gateway.limit` was called, but nothing is stubbed for this call.\n\n  called:"
    #expect(text.contains("reported: \(headline)"))
    #expect(text.contains("Test.swift:7: Fatal error: \(headline)"))
  }

  @Test("is not told to be lenient where that does not help, or where it is")
  func lenientAdvice() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      ScopeOpener(
        .sandbox, name: "buys", location: .test(7), report: { writeError("reported: \($0.text)") }
      ).run { _ = Stub<Void, Route, Never>("Gateway.limit")() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.stubIt(" or ")))
    #expect(!text.contains("lenient"))
    let issues = findings {
      #expect(throws: UnstubbedCall.self) { try Stub<Void, Route, any Error>("Gateway.limit")() }
      #expect(throws: UnstubbedCall.self) { try Stub<Void, Int, any Error>("Gateway.limit")() }
    }
    #expect(issues.map { $0.text.hasSuffix(Self.fixes()) } == [false, true])
    #expect(issues.first?.text.hasSuffix(Self.stubIt(", `.throws(…)` or ")) == true)
  }

  @Test("is one that is forwarded to a function with other parameters, too")
  func unforwardable() {
    let issues = Issues()
    let line: UInt = #line + 4
    ScopeOpener(.sandbox, name: "buys", isTest: true, location: .test(1), report: issues.handler)
      .run {
        let charge = Stub<(cents: Int, customer: String), String?, Never>("Gateway.charge")
        charge.forwards { (customer: String, cents: Int) in "\(customer) \(cents)" }
        #expect(charge((650, "Ann")) == nil)
      }
    #expect(
      issues.all.map(\.text) == [
        """
        A call of `Gateway.charge` cannot be forwarded to a function with other parameters.

          called:      (cents: 650, customer: "Ann")
          arguments:   (cents: Int, customer: String)
          parameters:  (String, Int)
          stubbed:     \(Self.file):\(line)

        To fix this:
          - Call it in a closure: `.runs { … }`.
        """
      ])
  }
}

/// Written as a list, and never empty; or as nothing, which stands for something.
private struct Route: ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
  init(arrayLiteral stops: String...) { precondition(!stops.isEmpty) }
  init(nilLiteral: ()) { preconditionFailure() }
}

extension Stub where Arguments == Void {
  fileprivate static func lenientOne() throws(Failure) -> Result {
    let stub = Stub()
    stub.lenient()
    return try stub.call()
  }
}

extension CodeLocation {
  /// Where a test stands that is none.
  static func test(_ line: UInt) -> CodeLocation {
    CodeLocation(fileID: "DITestingTests/Test.swift", filePath: "Test.swift", line: line, column: 1)
  }
}
