import DITesting
import Testing

private struct User: Equatable, Sendable {
  var name = "Ann"
}

/// As the generator writes it.
private final class FetcherDouble: Sendable {
  let fetchStub = Stub<any Any.Type, any Sendable, any Error>("Fetcher.fetch(_:)")
  func fetch<T: Sendable>(_ type: T.Type) throws -> T { try fetchStub.call(type, as: T.self) }

  let findStub = Stub<Void, (any Sendable)?, Never>("Fetcher.find()")
  func find<T: Sendable>() -> T? { findStub.call((), as: T?.self) }

  let allStub = AsyncStub<Void, [any Sendable], Never>("Fetcher.all()")
  func all<T: Sendable>() async -> [T] { await allStub.call((), as: [T].self) }

  let makerStub = Stub<Void, any Sendable, Never>("Fetcher.maker()")
  func maker<T: Sendable>() -> @Sendable () -> T {
    makerStub.call((), as: (@Sendable () -> T).self)
  }

  let attemptStub = Stub<Void, any Sendable, any Error>("Fetcher.attempt()")
  func attempt<T: Sendable>() throws -> Result<T, any Error> {
    try attemptStub.call((), as: Result<T, any Error>.self)
  }

  let change = Stub<any Sendable, any Sendable, Never>("Fetcher.change(_:)")
  func change<T: Sendable>(_ value: inout T) {
    value = change.call(value, default: value, as: T.self)
  }

  let swap = Stub<any Sendable, (result: any Sendable, value: any Sendable), any Error>(
    "Fetcher.swap(_:)")
  func swap<T: Sendable>(_ value: inout T) throws -> T {
    let returned = try swap.call(value)
    value = try swap.cast(returned.value, as: T.self)
    return try swap.cast(returned.result, as: T.self)
  }
}

@Suite("The result of a generic requirement", .sandbox)
struct GenericResultTests {
  private let fetcher = FetcherDouble()

  private static func text(
    _ name: String, _ asked: String, _ stubbed: String, called: String = "()", at line: UInt,
    madeAt: Int, in test: String, testLine: Int
  ) -> String {
    let file = "DITestingTests/GenericResultTests.swift"
    return """
      `Fetcher.\(name)` was to return `\(asked)`, but what is stubbed for this call is `\(stubbed)`.

        called:   \(called)
        stubbed:  \(file):\(line)
        made:     \(file):\(madeAt)
        test:     \(test), at \(file):\(testLine)

      To fix this:
        - Return `\(asked)` from such calls; `.when { … }` tells them from others.
      """
  }

  @Test("is what is stubbed, in every form")
  func matches() async throws {
    fetcher.fetchStub.returns(User())
    fetcher.fetchStub.when { $0 == Int.self }.returns(3)
    #expect(try fetcher.fetch(User.self) == User())
    #expect(try fetcher.fetch(Int.self) == 3)
    fetcher.findStub.returns(User(), nil)
    #expect(fetcher.find() == User())
    #expect(fetcher.find() == User?.none)
    fetcher.allStub.returns([User(), User(name: "Bob")])
    #expect(await fetcher.all() == [User(), User(name: "Bob")])
    let make: @Sendable () -> User = { User(name: "Eve") }
    fetcher.makerStub.returns(make)
    let maker: @Sendable () -> User = fetcher.maker()
    #expect(maker() == User(name: "Eve"))
    fetcher.attemptStub.returns(Result<User, any Error>.success(User()))
    let attempt: Result<User, any Error> = try fetcher.attempt()
    #expect(try attempt.get() == User())
    var user = User()
    fetcher.change(&user)
    #expect(user == User())
    fetcher.change.returns(User(name: "Bob"))
    fetcher.change(&user)
    #expect(user == User(name: "Bob"))
    fetcher.swap.returns((User(name: "old"), User(name: "new")))
    #expect(try fetcher.swap(&user) == User(name: "old"))
    #expect(user == User(name: "new"))
  }

  @Test("of the wrong type is an issue, and the call throws what an unstubbed one throws")
  func wrong() throws {
    let location = try #require(Test.current?.sourceLocation)
    fetcher.fetchStub.returns("a string")
    let line: UInt = #line - 1
    let text = Self.text(
      "fetch(_:)", "User", "String", called: "(User)", at: line, madeAt: 10,
      in: "of the wrong type is an issue, and the call throws what an unstubbed one throws",
      testLine: location.line)
    expectIssue(text, atLine: UInt(location.line)) {
      do {
        _ = try fetcher.fetch(User.self)
        Issue.record("It returned.")
      } catch { #expect("\(error)" == text.prefix { $0 != "\n" }) }
    }
  }

  @Test("of the wrong type is replaced by what is empty where the requirement throws nothing")
  func empty() async throws {
    let location = try #require(Test.current?.sourceLocation)
    let test = "of the wrong type is replaced by what is empty where the requirement throws nothing"
    fetcher.findStub.returns("a string")
    var line: UInt = #line - 1
    expectIssue(
      Self.text(
        "find()", "Optional<User>", "String", at: line, madeAt: 13, in: test,
        testLine: location.line), atLine: UInt(location.line)
    ) { #expect(fetcher.find() == User?.none) }
    fetcher.allStub.returns([1, 2])
    line = #line - 1
    await expectIssue(
      Self.text(
        "all()", "Array<User>", "Array<Any>", at: line, madeAt: 16, in: test,
        testLine: location.line), atLine: UInt(location.line)
    ) { #expect(await fetcher.all() == [User]()) }
    fetcher.attemptStub.returns(Result<String, any Error>.success("a"))
    line = #line - 1
    expectIssue(
      Self.text(
        "attempt()", "Result<User, Error>", "Result<String, Error>", at: line, madeAt: 24,
        in: test, testLine: location.line), atLine: UInt(location.line)
    ) {
      #expect(throws: UnstubbedCall.self) {
        let _: Result<User, any Error> = try fetcher.attempt()
      }
    }
  }

  @Test("of the wrong type among several parts is an issue, too")
  func part() throws {
    let location = try #require(Test.current?.sourceLocation)
    fetcher.swap.returns((User(), 5))
    let line: UInt = #line - 1
    expectIssue(
      Self.text(
        "swap(_:)", "User", "Int", called: "(User(name: \"Ann\"))", at: line, madeAt: 34,
        in: "of the wrong type among several parts is an issue, too", testLine: location.line),
      atLine: UInt(location.line)
    ) {
      var user = User()
      #expect(throws: UnstubbedCall.self) { _ = try fetcher.swap(&user) }
    }
  }

  @Test("of the wrong type among several parts names its own call, whoever calls meanwhile")
  func partOfOwnCall() async {
    let issues = await findingsLater {
      let fetcher = FetcherDouble()
      fetcher.swap.returns((User(), 5))
      await #expect(throws: UnstubbedCall.self) {
        let returned = try fetcher.swap.call(User())
        _ = try await Task { try fetcher.swap.call(User(name: "Bob")) }.value
        _ = try fetcher.swap.cast(returned.value, as: User.self)
      }
    }
    #expect(issues.map { $0.text.contains("called:   (User(name: \"Ann\"))") } == [true])
  }

  @Test("of the wrong type is not what the call is noted with: what it returned is")
  func noted() {
    var calls: [StubOutcome<(any Sendable)?, Never>] = []
    let issues = findings {
      let fetcher = FetcherDouble()
      fetcher.findStub.returns("a string")
      #expect(fetcher.find() == User?.none)
      calls = fetcher.findStub.outcomes
    }
    #expect(issues.count == 1)
    let returned = calls.map { outcome in
      if case .returned(let result) = outcome { "\(result as Any)" } else { "\(outcome)" }
    }
    #expect(returned == ["nil"])
  }

  @Test("that is not stubbed is what is empty of the type that is asked for")
  func unstubbed() {
    let issues = findings {
      let fetcher = FetcherDouble()
      #expect(fetcher.find() == User?.none)
      let texts: [String] = fetcher.listed()
      #expect(texts == [])
    }
    #expect(
      issues.map(\.headline) == [
        "`Fetcher.find()` was called, but nothing is stubbed for this call.",
        "`Fetcher.maker()` was called, but nothing is stubbed for this call.",
      ])
  }
}

extension FetcherDouble {
  fileprivate func listed<T: Sendable>() -> [T] { makerStub.call((), as: [T].self) }
}
