import DITesting
import Testing

private struct Database {
  var rows = 0
}

private protocol Store: Sendable {
  func write(_ body: (Database) throws -> Void) throws
  func change(_ name: String, _ body: (inout Database) -> Int) -> Int
  func each(_ body: (Int) throws -> Void) rethrows
  func count(_ body: (Int) throws -> Void) rethrows -> Int
  func load(_ body: (Database) async throws -> Void) async throws
  func eachLater(_ body: (Int) async throws -> Void) async rethrows
}

/// As the generator writes it.
private final class StoreDouble: Store, TestDouble {
  init() {}
  static func asDoubled(_ double: StoreDouble) -> any Store { double }

  let write = Stub<@Sendable (Database) throws -> Void, Void, any Error>("Store.write(_:)")
  func write(_ body: (Database) throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      try LentClosure.lend(body) { body in try write.call({ try body.function($0) }) }
    }
  }

  let change = Stub<(name: String, body: @Sendable (inout Database) -> Int), Int, Never>(
    "Store.change(_:_:)")
  func change(_ name: String, _ body: (inout Database) -> Int) -> Int {
    withoutActuallyEscaping(body) { body in
      LentClosure.lend(body) { body in change.call((name, { body.function(&$0) })) }
    }
  }

  let each = Stub<@Sendable (Int) throws -> Void, Void, any Error>("Store.each(_:)")
  func each(_ body: (Int) throws -> Void) rethrows {
    try Rethrowing.run(
      {
        try withoutActuallyEscaping(body) { body in
          try LentClosure.lend(body) { body in try each.call({ try body.function($0) }) }
        }
      }, rescue: { throw $0 })
  }

  let count = Stub<@Sendable (Int) throws -> Void, Int, any Error>("Store.count(_:)")
  func count(_ body: (Int) throws -> Void) rethrows -> Int {
    try Rethrowing.run(
      {
        try withoutActuallyEscaping(body) { body in
          try LentClosure.lend(body) { body in try count.call({ try body.function($0) }) }
        }
      }, rescue: { throw $0 })
  }

  let load = AsyncStub<@Sendable (Database) async throws -> Void, Void, any Error>("Store.load(_:)")
  func load(_ body: (Database) async throws -> Void) async throws {
    try await withoutActuallyEscaping(body) { body in
      try await LentClosure.lend(body) { body in
        try await load.call({ try await body.function($0) })
      }
    }
  }

  let eachLater = AsyncStub<@Sendable (Int) async throws -> Void, Void, any Error>(
    "Store.eachLater(_:)")
  func eachLater(_ body: (Int) async throws -> Void) async rethrows {
    try await withoutActuallyEscaping(body) { body in
      try await Rethrowing.run(
        {
          try await LentClosure.lend(body) { body in
            try await eachLater.call({ try await body.function($0) })
          }
        }, rescue: { throw $0 })
    }
  }
}

@Suite("A closure that a requirement only calls", .sandbox)
struct LentClosureTests {
  private let store = StoreDouble()

  @Test("is run by the stub, and what it throws is thrown")
  func runs() throws {
    store.write.runs { body in try body(Database(rows: 3)) }
    let live: any Store = store
    var seen: [Int] = []
    try live.write { seen.append($0.rows) }
    #expect(seen == [3])
    #expect(throws: Declined.self) { try live.write { _ in throw Declined() } }
    #expect(store.write.calls.count == 2)
  }

  @Test("is not run where nothing is stubbed")
  func notStubbed() throws {
    try (store as any Store).write { _ in Issue.record("It ran.") }
    expectCalled(store.write, times: 1)
  }

  @Test("may change what it is called with, and stands among other arguments")
  func changes() {
    store.change.runs { name, body in
      var database = Database(rows: name.count)
      return body(&database) + database.rows
    }
    let sum = store.change("tea") { database in
      database.rows += 1
      return 10
    }
    #expect(sum == 14)
  }

  @Test("throws on where the requirement rethrows")
  func rethrown() {
    let store: any Store = store
    let each = self.store.each
    each.runs { body in for number in 1...3 { try body(number) } }
    var seen: [Int] = []
    store.each { seen.append($0) }
    #expect(seen == [1, 2, 3])
    #expect(throws: Declined.self) {
      try store.each { if $0 == 2 { throw Declined() } }
    }
    let line: UInt = #line
    expectIssue(
      """
      Expected `Store.each(_:)` to be called 3 times, but it was called 2 times.

      Called:
        Store.each((Function))
        Store.each((Function))  — threw Declined()
      """, atLine: line + 9
    ) { expectCalled(each, times: 3) }
  }

  @Test("may be called by a requirement that rethrows: unstubbed, it returns what is empty")
  func unstubbed() {
    let issues = findings {
      let store: any Store = StoreDouble()
      #expect(store.count { _ in } == 0)
    }
    #expect(
      issues.map(\.headline) == [
        "`Store.count(_:)` was called, but nothing is stubbed for this call."
      ])
  }

  @Test("is run by the stub of an async requirement")
  func async() async throws {
    let store: any Store = store
    self.store.load.runs { body in try await body(Database(rows: 3)) }
    var seen: [Int] = []
    try await store.load { seen.append($0.rows) }
    #expect(seen == [3])
    await #expect(throws: Declined.self) { try await store.load { _ in throw Declined() } }
    self.store.eachLater.runs { body in for number in 1...3 { try await body(number) } }
    await store.eachLater { seen.append($0) }
    #expect(seen == [3, 1, 2, 3])
    await #expect(throws: Declined.self) { try await store.eachLater { _ in throw Declined() } }
  }

  @Test("cannot be called once the requirement has returned")
  func late() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = StoreDouble()
      try (store as any Store).write { _ in }
      try store.write.calls[0](Database())
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "A closure was called after the requirement that it was passed to had returned."))
  }
}
