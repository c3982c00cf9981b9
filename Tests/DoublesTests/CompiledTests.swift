import DoubleGenerator
import Foundation
import Testing

// The compiler is asked about what is written here: a file that is there compiles.
@Suite("A double that is written compiles") struct CompiledTests {
  @Test("where associated types and aliases are called as what it uses")
  func associatedTypes() throws {
    let shop = try Shop(
      """
      public protocol Nothing {
        associatedtype Never
        associatedtype Void
        func send() throws
        func take(_ never: Never) -> Void
      }
      public protocol Failing {
        associatedtype Error
        func send() throws
      }
      public protocol Aliased {
        typealias Stub = Int
        func send(_ stub: Stub) -> [Stub]
      }
      """)
    #expect(
      try shop.run() == [
        "Wrote AliasedDouble.swift", "Wrote Doubles.swift", "Wrote FailingDouble.swift",
        "Wrote NothingDouble.swift",
      ])
    #expect(
      try shop.lines(of: "NothingDouble", "let") == [
        "let sendStub = Stub<Swift.Void, Swift.Void, any Error>(\"Nothing.send()\")",
        "let take = Stub<Never, Void, Swift.Never>(\"Nothing.take(_:)\")",
      ])
    #expect(
      try shop.lines(of: "FailingDouble", "let") == [
        "let sendStub = Stub<Void, Void, any Swift.Error>(\"Failing.send()\")"
      ])
    #expect(
      try shop.lines(of: "AliasedDouble", "let") == [
        "let send = DITesting.Stub<Int, [Int], Never>(\"Aliased.send(_:)\")"
      ])
  }

  @Test("where a requirement's generic parameter is called as an associated type")
  func shadowing() throws {
    let shop = try Shop(
      """
      public protocol Query<Row> {
        associatedtype Row
        func joined<Row: Sequence, Row2>(
          _ others: [Row], on own: Self.Row, _ second: Row2
        ) -> Row.Element?
      }
      """)
    #expect(try shop.run() == ["Wrote Doubles.swift", "Wrote QueryDouble.swift"])
    #expect(
      try shop.lines(of: "QueryDouble", "func") == [
        "func joined<Row22, Row2>(_ others: [Row22], on own: Row, _ second: Row2) -> Row22.Element?"
      ])
  }

  @Test("where its module has types of those names, and one of its own name")
  func modules() throws {
    let shop = try Shop(
      """
      public enum Shop {}
      public enum Never {}
      public struct Stub: Sendable {}
      public struct Date: Sendable {}
      public protocol Mailer { func send(_ stub: Stub, at date: Date) throws -> Never }
      """)
    #expect(
      try shop.run { $0.toolkit = [Self.toolkit] } == [
        "Wrote Doubles.swift", "Wrote MailerDouble.swift",
      ])
    let lines = try shop.lines(of: "MailerDouble", "let", "import")
    #expect(
      lines == [
        "import DITesting", "import Shop", "import struct Shop.Stub",
        "let send = DITesting.Stub<(stub: Stub, date: Date), Never, any Error>("
          + "\"Mailer.send(_:at:)\")",
      ])
  }
  private static let toolkit = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/DITesting")

  @Test("where stubs would have other requirements' names")
  func stubNames() throws {
    let shop = try Shop(
      """
      public protocol Player {
        func refresh()
        func refreshStub()
        func stop(_ number: Int)
        func stop()
        func stopStub()
      }
      """)
    #expect(try shop.run() == ["Wrote Doubles.swift", "Wrote PlayerDouble.swift"])
    #expect(
      try shop.lines(of: "PlayerDouble", "let").map { $0.prefix { $0 != "=" } } == [
        "let refreshReturningVoid ", "let refreshStubReturningVoid ", "let stopInt ",
        "let stopReturningVoid ", "let stopStubStub ",
      ])
  }

  @Test("where names need backticks or are no letters")
  func identifiers() throws {
    let shop = try Shop(
      """
      public protocol `My mailer` {
        func `send it`(`var` let: Int, _ `$`: Int)
        func 🎉() -> Int
        func `var`(`let`: Int, `in` 🎈: Int)
      }
      """)
    #expect(try shop.run() == ["Wrote Doubles.swift", "Wrote MymailerDouble.swift"])
    #expect(
      try shop.lines(of: "MymailerDouble", "func") == [
        "func `send it`(`var` `let`: Int, _ `$`: Int) { `send it`.call((`let`, `$`)) }",
        "func 🎉() -> Int { 🎉Stub.call() }",
        "func `var`(`let`: Int, in 🎈: Int) { `var`.call((`let`, 🎈)) }",
      ])
  }

  @Test("where it does not see default implementations")
  func defaults() throws {
    let shop = try Shop(
      """
      public protocol Base {
        func inlined()
        func ofOthers()
        static func make()
        func packaged()
      }
      public protocol Mailer: Base { func given() }
      extension Base {
        @usableFromInline func inlined() {}
        @_spi(Others) public func ofOthers() {}
        static func make() {}
        package func packaged() {}
      }
      extension Mailer { public func given() {} }
      """)
    try shop.run()
    let members = [
      "func inlined() { inlinedStub.call() }", "func ofOthers() { ofOthersStub.call() }",
      "func packaged() { packagedStub.call() }", "static func make() { makeStub.call() }",
    ]
    let lines = try shop.lines(of: "MailerDouble", "func", "static func make").sorted()
    #expect(lines == members)
    try shop.run { $0.isPublic = true }
    #expect(
      try shop.lines(of: "MailerDouble", "public func", "public static func make").sorted()
        == members.map { "public \($0)" })
  }

  @Test("with the modules of extensions, and what only some systems have in a condition")
  func imports() throws {
    let shop = try Shop(
      """
      import Foundation
      #if canImport(FoundationNetworking)
      import FoundationNetworking
      #endif
      extension URL {
        public enum Mode: Sendable { case read }
        public protocol Opener { func open(_ mode: Mode) }
      }
      public protocol Reader { func open(_ mode: URL.Mode) }
      public protocol Client: Sendable {
        func data(for request: URLRequest) async throws -> (Data, URLResponse)
        func use(
          _ session: URLSession, _ response: HTTPURLResponse, _ error: NSError, _ file: FileHandle,
          _ length: Measurement<UnitLength>, _ notification: Notification)
      }
      public protocol Plain { func send(_ text: String) }
      """)
    try shop.run()
    #expect(
      try shop.lines(of: "ReaderDouble", "import", "#") == [
        "import DITesting", "import Foundation", "import Shop",
      ])
    #expect(
      try shop.lines(of: "URLOpenerDouble", "import", "#") == [
        "import DITesting", "import Foundation", "import Shop",
      ])
    #expect(
      try shop.lines(of: "PlainDouble", "import", "#") == ["import DITesting", "import Shop"])
    #expect(
      try shop.lines(of: "ClientDouble", "import", "#", "let", "session:", "file:", "length:")
        == [
          "import DITesting", "import Foundation", "#if canImport(FoundationNetworking)",
          "import FoundationNetworking", "#endif", "import Shop",
          "let data = AsyncStub<URLRequest, (Data, URLResponse), any Error>(\"Client.data(for:)\")",
          "let use = Stub<",
          "session: URLSession, response: HTTPURLResponse, error: NSError, file: FileHandle,",
          "length: Measurement<UnitLength>, notification: Described",
        ])
  }

  @Test("with generic results of which the stub knows less, and closures that the stub may run")
  func closures() throws {
    let shop = try Shop(
      """
      public final class Database {}
      public struct Declined: Error {}
      public protocol Store {
        func fetch<T>(_ type: T.Type) throws -> [T]
        func fill<T>(_ value: inout T)
        func make<T>() async -> () -> T
        func move<T>(_ value: inout T) throws -> T?
        func write(_ body: (Database) throws -> Void) throws
        func named(_ name: String, _ body: (inout Int) -> Int) -> Int
        func each(_ body: (Int) throws -> Void) rethrows
        func later(_ body: (Database) async throws -> Void) async rethrows
        func typed(_ body: (Int, Int) throws(Declined) -> Void) throws(Declined) -> Int
        func both(_ first: () -> Void, _ second: () -> Void)
      }
      public protocol Safe: Sendable {
        func fetch<T>(_ type: T.Type) -> T
        func write(_ body: (Database) -> Void)
        func read<T>(_ body: (Database) throws -> T) throws -> T
        func change<T: Sendable>(
          in file: String, _ body: @Sendable (inout Database, Int) async throws -> T
        ) async throws -> T
      }
      public actor Counter {}
      public protocol Till: Actor { func write(_ body: (Int) throws -> Void) async throws }
      """)
    #expect(
      try shop.run() == [
        "Wrote Doubles.swift", "Wrote SafeDouble.swift", "Wrote StoreDouble.swift",
        "Wrote TillDouble.swift",
      ])
    #expect(try shop.compileInFull("StoreDouble") == [])
    let text = try shop.text("StoreDouble")
    for member in [
      "func fetch<T>(_ type: T.Type) throws -> [T] { try fetch.call(type, as: [T].self) }",
      "func fill<T>(_ value: inout T) { value = fill.call(value, default: value, as: T.self) }",
      "await makeStub.call((), as: (() -> T).self)",
      """
      func move<T>(_ value: inout T) throws -> T? {
          let returned = try move.call(value)
          value = try move.cast(returned.value, as: T.self)
          return try move.cast(returned.result as Any, as: T?.self)
        }
      """,
      """
      let write = Stub<@Sendable (Database) throws -> Void, Void, any Error>("Store.write(_:)")
        func write(_ body: (Database) throws -> Void) throws {
          try withoutActuallyEscaping(body) { body in
            try LentClosure.lend(body) { body in try write.call({ try body.function($0) }) }
          }
        }
      """,
      """
        func each(_ body: (Int) throws -> Void) rethrows {
          try Rethrowing.run(
            {
              try withoutActuallyEscaping(body) { body in
                try LentClosure.lend(body) { body in try each.call({ try body.function($0) }) }
              }
            }, rescue: { throw $0 })
        }
      """,
      "LentClosure.lend(body) { body in named.call((name, { body.function(&$0) })) }",
    ] { #expect(text.contains(member)) }
    #expect(!text.contains("//   "))
    #expect(
      try shop.text("SafeDouble").contains("fetch.cast(fetch.call(type)(), as: T.self)"))
    for member in [
      """
        let read = Stub<Void, @Sendable () -> Database, any Error>("Safe.read(_:)")
        // The stub returns what makes what `body` is called with.
        func read<T>(_ body: (Database) throws -> T) throws -> T {
          let value = try read.call()()
          return try body(value)
        }
      """,
      """
        let change = AsyncStub<String, @Sendable () -> (Database, Int), any Error>(
      """,
      """
          var values = try await change.call(file)()
          return try await body(&values.0, values.1)
      """,
    ] { #expect(try shop.text("SafeDouble").contains(member)) }
  }

  @Test("with closures that the stub may run where its caller is")
  func closuresOfCallers() throws {
    let shop = try Shop(
      """
      public protocol Store: Sendable {
        func write(_ body: (Int) async throws -> Void) async throws
        func each(_ body: (Int) throws -> Void) async rethrows
        func lend(_ lend: () -> Int, _ other: () -> Int) async -> Int
        func typed(_ body: (Int) throws(Declined) -> Void) async throws(Declined) -> Int
      }
      public struct Declined: Error {}
      public protocol Shelf { func write(_ body: (Int) async throws -> Void) async throws }
      """)
    #expect(
      try shop.run() == [
        "Wrote Doubles.swift", "Wrote ShelfDouble.swift", "Wrote StoreDouble.swift",
      ])
    #expect(try shop.compileInFull("StoreDouble") == [])
    let text = try shop.text("StoreDouble")
    #expect(
      text.contains(
        """
          nonisolated(nonsending) func each(_ body: (Int) throws -> Void) async rethrows {
            try await Rethrowing.run(
              {
                nonisolated(nonsending) func lend(_ body: @escaping (Int) throws -> Void) async throws {
                  try await LentClosure.lend(body) { body in
                    try await each.call({ try body.function($0) })
                  }
                }
                return try await withoutActuallyEscaping(body, do: lend)
              }, rescue: { throw $0 })
          }
        """))
    #expect(text.contains("await self.lend.call(({ lend.function() }, { other.function() }))"))
    #expect(!text.contains("not called"))
    #expect(
      text.contains(
        """
              try await LentClosure.lend(body) { (body) async throws(Declined) in
                let runBody: @Sendable (Int) throws(Declined) -> Void =
                  { (value1) throws(Declined) in try body.function(value1) }
                return try await typed.call(runBody)
              }
        """))
  }

  @Test("with closures that run on an actor which they are passed")
  func onActors() throws {
    let shop = try Shop(
      """
      @globalActor public actor Till { public static let shared = Till() }
      public protocol Clerk: Sendable {
        func open<T: Sendable>(_ body: @Sendable (isolated Till) throws -> T) async throws -> T
        func count<T: Sendable>(
          _ body: @Sendable (isolated Till, Int) async throws -> T
        ) async throws -> T
        func visit(_ body: (isolated Till) async throws -> Int) async throws -> Int
        func look(_ body: (isolated Till) -> Void) async
        func now<T>(_ body: @Sendable (isolated Till) -> T) -> T
      }
      """)
    #expect(try shop.run() == ["Wrote ClerkDouble.swift", "Wrote Doubles.swift"])
    #expect(
      try shop.lines(of: "ClerkDouble", "let ", "return try await body", "// `") == [
        "let open = AsyncStub<Void, Till, any Error>(\"Clerk.open(_:)\")",
        "let value = try await open.call()",
        "return try await body(value)",
        "let count = AsyncStub<Void, (Till, Int), any Error>(\"Clerk.count(_:)\")",
        "let values = try await count.call()",
        "return try await body(values.0, values.1)",
        "let visit = AsyncStub<@Sendable (isolated Till) async throws -> Int, Int, any Error>(",
        "let look = AsyncStub<@Sendable (isolated Till) -> Void, Void, Never>("
          + "\"Clerk.look(_:)\")",
        "let now = Stub<Void, @Sendable () -> Any, Never>(\"Clerk.now(_:)\")",
        "// `body` is a generic function, so it is not among the arguments.",
      ])
  }

  @Test("with parents of the standard library that it can meet")
  func parents() throws {
    let shop = try Shop(
      """
      import Foundation
      public protocol Observer: NSObjectProtocol, Sendable { func note(_ text: String) }
      public protocol Choice: CaseIterable { var number: Int { get } }
      public protocol Feed: AsyncSequence where Element == Int { func close() }
      public protocol Shelf<Element>: Sequence { func close() }
      public protocol Digest: Hashable, ContiguousBytes, Sequence, Sendable where Element == UInt8 {}
      """)
    #expect(
      try shop.run() == [
        "Wrote ChoiceDouble.swift", "Wrote DigestDouble.swift", "Wrote Doubles.swift",
        "Wrote FeedDouble.swift", "Wrote ObserverDouble.swift", "Wrote ShelfDouble.swift",
      ])
    #expect(
      try shop.lines(of: "ObserverDouble", "nonisolated", "override") == [
        "nonisolated final class ObserverDouble: NSObject, Observer, TestDouble {",
        "override init() {}",
      ])
  }

  @Test("with associated types that the protocol binds to the double itself")
  func ownType() throws {
    let shop = try Shop(
      """
      public protocol Link { associatedtype Next where Next == Self; func next() -> Next }
      public protocol Node: Sequence where Element == Self {}
      public protocol Walker: Sequence, IteratorProtocol where Iterator == Self {}
      public struct Steps {}
      public protocol Trail {
        associatedtype Iterator where Iterator == Steps
        func makeIterator() -> Iterator
      }
      """)
    #expect(
      try shop.run() == [
        "Wrote Doubles.swift", "Wrote LinkDouble.swift", "Wrote NodeDouble.swift",
        "Wrote TrailDouble.swift", "Wrote WalkerDouble.swift",
      ])
    // It is no sequence.
    #expect(
      try shop.lines(of: "TrailDouble", "func") == [
        "func makeIterator() -> Steps { makeIteratorStub.call() }"
      ])
    #expect(
      try shop.lines(of: "LinkDouble", "typealias", "func") == [
        "typealias Next = LinkDouble", "func next() -> LinkDouble { nextStub.call() }",
      ])
    #expect(try shop.lines(of: "NodeDouble", "typealias") == ["typealias Element = NodeDouble"])
    // The library's `makeIterator()` returns the sequence itself.
    #expect(
      try shop.lines(of: "WalkerDouble", "func") == ["func next() -> Element? { nextStub.call() }"])
  }

  @Test("with the errors that a protocol binds those of an asynchronous sequence to")
  func failures() throws {
    let shop = try Shop(
      """
      public struct Declined: Error {}
      @available(macOS 15, iOS 18, *)
      public protocol Feed: AsyncSequence where Element == Int, Failure == Never {}
      @available(macOS 15, iOS 18, *)
      public protocol Line: AsyncSequence where Element == Int, Failure == any Error {}
      @available(macOS 15, iOS 18, *)
      public protocol Cursor: AsyncIteratorProtocol where Element == Int, Failure == Declined {}
      @available(macOS 15, iOS 18, *)
      public protocol Charges: AsyncSequence where Element == Int, Failure == Declined {}
      """)
    #expect(
      try shop.run() == [
        """
        warning: `Charges` cannot be doubled: its iterator throws `Declined`, as that of no \
        stream does. Write by hand:
          final class ChargesDouble: Charges { … }
        """, "Wrote CursorDouble.swift", "Wrote Doubles.swift", "Wrote FeedDouble.swift",
        "Wrote LineDouble.swift",
      ])
    #expect(
      try shop.lines(of: "FeedDouble", "func") == [
        "func makeAsyncIterator() -> AsyncStream<Int>.Iterator { makeAsyncIteratorStub.call() }"
      ])
    #expect(
      try shop.lines(of: "CursorDouble", "func") == [
        "func next() async throws(Declined) -> Int? { try await nextStub.call() }"
      ])
  }

  @Test("or is refused with what no double should answer")
  func unmet() throws {
    let shop = try Shop(
      """
      public protocol Dice: RandomNumberGenerator {}
      public protocol Timer: Clock where Duration == Swift.Duration {}
      public protocol Loop: SerialExecutor {}
      """)
    let warnings = try shop.run().filter { $0.hasPrefix("warning") }
    let firstLines = warnings.map { String($0.prefix { $0 != "\n" }) }
    #expect(
      firstLines == [
        "warning: `Dice` cannot be doubled: it inherits `RandomNumberGenerator`, and the standard "
          + "library draws for ever from zeros, which a stub returns. Write by hand:",
        "warning: `Loop` cannot be doubled: it inherits `Executor`, and its double would not run "
          + "what it is handed. Write by hand:",
        "warning: `Timer` cannot be doubled: it inherits `Clock`, for which tests have "
          + "`TestClock`. Write by hand:",
      ])
  }

  @Test("or is refused with the requirement that it does not meet")
  func unmetRequirement() throws {
    let shop = try Shop(
      "public protocol Caller { func call(_ body: @convention(c) (Int) -> Int) }")
    // A module that is read has lost that the function is of C.
    var graph = Graph()
    graph.add("protocol Caller", ["func call(_ body: (Int) -> Int)"])
    #expect(
      try shop.run(seeing: graph).first == """
        warning: `Caller` cannot be doubled: its double would not compile: type 'CallerDouble' \
        does not conform to protocol 'Caller': protocol requires function 'call' with type \
        '(@convention(c) (Int) -> Int) -> ()'. Write by hand:
          final class CallerDouble: Caller { … }
        """)
  }

  @Test("once what no graph tells of is written by hand, also of several protocols")
  func hidden() throws {
    let shop = try Shop(
      """
      public protocol Rows { func _open(); func _close() }
      public protocol Columns { var _names: [String] { get } }
      public protocol Table: Rows, Columns { func clear() }
      """, access: "public")
    let lines = try shop.run()
    #expect(
      lines.filter { $0.hasPrefix("warning: write by hand: `Table.") }
        == ["_open()", "_close()", "_names"].map {
          "warning: write by hand: `Table.\($0)`: its name begins with an underscore: "
            + "extension TableDouble { … }"
        })
    #expect(lines.contains("Wrote TableDouble.swift"))
  }

  @Test("or is refused if its protocol binds a type as no class can")
  func boundTypes() throws {
    let shop = try Shop(
      """
      public protocol Feed: AsyncSequence where AsyncIterator == Self, Element == Int {}
      public protocol Key { associatedtype Lock: Shop.Lock where Lock.Key == Self }
      public protocol Lock { associatedtype Key }
      public protocol Shelf: Sequence where Iterator == IndexingIterator<[Int]> {}
      public protocol Walker: Sequence where Iterator == Self, Element == Int {}
      """)
    let types = [
      ("Feed", "AsyncIterator", "Self"), ("Key", "Lock.Key", "Self"),
      ("Shelf", "Iterator", "IndexingIterator<[Int]>"),
      ("Walker", "Iterator", "Self"),
    ]
    #expect(
      try shop.run() == types.map {
        """
        warning: `\($0)` cannot be doubled: its `\($1)` is bound to `\($2)`, as that of no double \
        is. Write by hand:
          final class \($0)Double: \($0) { … }
        """
      } + ["Wrote Doubles.swift", "Wrote LockDouble.swift"])
  }

  @Test("or is refused if its protocol is @_spi, whose name no graph has")
  func spi() throws {
    let shop = try Shop(
      """
      @_spi(Others) public protocol Clerk { func call() }
      public protocol Mailer { func send() }
      """)
    #expect(
      try shop.run() == [
        "note: protocols that are @_spi have no doubles: Clerk.", "Wrote Doubles.swift",
        "Wrote MailerDouble.swift",
      ])
    #expect(
      try shop.run { $0.protocols = ["Clerk"] }.first == """
        error: `Clerk` cannot be doubled: it is @_spi. Write by hand:
          final class ClerkDouble: Clerk { … }
        """)
  }

  @Test("or is refused for an error without a place, which few runs of the compiler find it by")
  func withoutPlace() throws {
    let shop = try Shop(
      (1...15).map { "public protocol P\($0) { func send() }" }.joined(separator: "\n")
        + "\npublic protocol Bad { func send() }")
    let compiler = try shop.compiler(
      failingAt: "BadDouble.swift", by: "echo '<unknown>:0: error: no place' >&2; exit 1")
    let lines = try shop.run { $0.compiler = compiler }
    #expect(
      lines.first == """
        warning: `Bad` cannot be doubled: its double would not compile: no place. Write by hand:
          final class BadDouble: Bad { … }
        """)
    #expect(lines.count { $0.hasPrefix("Wrote P") } == 15)
    // All sixteen, two halves each of sixteen, eight, four and two; and the three other manners.
    #expect(try shop.compilerRuns() == 1 + 2 * 4 + 3)
  }

  @Test("or is refused if the compiler crashes")
  func crash() throws {
    let shop = try Shop(
      "public protocol Bad { func send() }; public protocol Good { func send() }")
    let compiler = try shop.compiler(failingAt: "BadDouble.swift", by: "kill -SEGV $$")
    #expect(
      try shop.run { $0.compiler = compiler } == [
        """
        warning: `Bad` cannot be doubled: its double would not compile: the compiler crashes. \
        Write by hand:
          final class BadDouble: Bad { … }
        """, "Wrote Doubles.swift", "Wrote GoodDouble.swift",
      ])
  }

  @Test("or is refused with what is wrong")
  func refused() throws {
    let shop = try Shop(
      """
      public protocol Caller { func call(_ body: @convention(c) (Int32) -> Int32) }
      public protocol Count { var size: Int { get } }
      public protocol Name { var size: String { get } }
      public protocol Both: Count, Name {}
      public protocol `My both`: Count, Name {}
      """)
    let lines = try shop.run()
    #expect(
      lines.filter { $0.hasPrefix("warning") } == [
        """
        warning: `Both` cannot be doubled: its double would not compile: invalid redeclaration of \
        'size'. Write by hand:
          final class BothDouble: Both { … }
        """,
        """
        warning: `Caller` cannot be doubled: `call(_:)` has a function of C. Write by hand:
          final class CallerDouble: Caller { … }
        """,
        """
        warning: `My both` cannot be doubled: its double would not compile: invalid redeclaration \
        of 'size'. Write by hand:
          final class MybothDouble: `My both` { … }
        """,
      ])
    #expect(lines.contains("Wrote CountDouble.swift"))
    #expect(try shop.run { $0.checks = true }.last == "All 2 doubles are up to date.")
  }
}
