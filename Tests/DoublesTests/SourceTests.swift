import DoubleGenerator
import Foundation
import Testing

@Suite("The source of a double") struct SourceTests {
  @Test("is one stub and one line for each requirement")
  func isShort() throws {
    var graph = Graph()
    graph.add(
      "protocol PaymentGateway",
      [
        "func charge(_ cents: Int, for customer: String) throws -> String", "func refresh()",
        "var limit: Int { get set }",
      ])
    #expect(
      try graph.source(of: "PaymentGateway").text == """
        import DITesting
        import Shop

        /// A double of `PaymentGateway`;
        /// if that has changed, `swift package doubles` brings this up to date.
        nonisolated final class PaymentGatewayDouble: PaymentGateway, TestDouble {
          init() {}
          static func asDoubled(_ double: PaymentGatewayDouble) -> any PaymentGateway { double }

          let charge = Stub<(cents: Int, customer: String), String, any Error>(
            "PaymentGateway.charge(_:for:)")
          func charge(_ cents: Int, for customer: String) throws -> String {
            try charge.call((cents, customer))
          }

          let refreshStub = Stub<Void, Void, Never>("PaymentGateway.refresh()")
          func refresh() { refreshStub.call() }

          let getLimit = Stub<Void, Int, Never>("PaymentGateway.limit")
          let setLimit = Stub<Int, Void, Never>("PaymentGateway.limit.set")
          var limit: Int {
            get { getLimit.call() }
            set { setLimit.call(newValue) }
          }
        }

        """)
  }

  @Test("is public where it is asked to be")
  func isPublic() throws {
    var graph = Graph()
    graph.add("protocol Mailer", ["func send(_ text: String)"], inherits: ["Equatable"])
    #expect(
      try graph.source(of: "Mailer", isPublic: true).text == """
        #if canImport(Testing)
        public import DITesting
        public import Shop

        /// A double of `Mailer`;
        /// if that has changed, `swift package doubles` brings this up to date.
        nonisolated public final class MailerDouble: Mailer, TestDouble {
          public init() {}
          public static func asDoubled(_ double: MailerDouble) -> any Mailer { double }

          public let send = Stub<String, Void, Never>("Mailer.send(_:)")
          public func send(_ text: String) { send.call(text) }

          public static func == (left: MailerDouble, right: MailerDouble) -> Bool { left === right }
        }
        #endif

        """)
  }

  @Test("describes what a Sendable double cannot keep, and makes what it cannot hold")
  func describes() throws {
    var graph = Graph()
    graph.add(type: "class Ledger", isSendable: false)
    graph.add(
      "protocol Books", ["func post(_ ledger: Ledger, page: Int)", "func current() -> Ledger"],
      inherits: ["Sendable"])
    #expect(
      try graph.source(of: "Books").text == """
        import DITesting
        import Shop

        /// A double of `Books`;
        /// if that has changed, `swift package doubles` brings this up to date.
        nonisolated final class BooksDouble: Books, TestDouble {
          init() {}
          static func asDoubled(_ double: BooksDouble) -> any Books { double }

          let post = Stub<(ledger: Described, page: Int), Void, Never>("Books.post(_:page:)")
          func post(_ ledger: Ledger, page: Int) { post.call((Described(ledger), page)) }

          let currentStub = Stub<Void, @Sendable () -> Ledger, Never>("Books.current()")
          func current() -> Ledger { currentStub.call()() }
        }

        """)
  }

  @Test("calls the closure that makes a generic result with what the stub returns")
  func passesOn() throws {
    var graph = Graph()
    graph.add(
      "protocol Tracer", ["func span<T>(_ name: String, _ body: (Int) throws -> T) rethrows -> T"])
    #expect(
      try graph.source(of: "Tracer").text.hasSuffix(
        """
          let span = Stub<String, Int, Never>("Tracer.span(_:_:)")
          // The stub returns what `body` is called with.
          func span<T>(_ name: String, _ body: (Int) throws -> T) rethrows -> T {
            let value = span.call(name)
            return try body(value)
          }
        }

        """))
  }

  @Test("describes optionals and values of Foundation that are not Sendable, without a warning")
  func describesOptionals() throws {
    var graph = Graph()
    graph.add(
      "protocol Center",
      ["var handler: (() -> Void)? { get set }", "func post(_ notification: Notification)"],
      inherits: ["Sendable"])
    let text = try graph.source(of: "Center", refusing: ["isSendable Notification"]).text
    #expect(
      text.hasSuffix(
        """
          let setHandler = Stub<Described, Void, Never>("Center.handler.set")
          var handler: (() -> Void)? {
            get { getHandler.call()() }
            set { setHandler.call(Described(newValue as Any)) }
          }

          let post = Stub<Described, Void, Never>("Center.post(_:)")
          func post(_ notification: Notification) { post.call(Described(notification)) }
        }

        """))
  }

  @Test("calls a closure by its name, whatever that is")
  func passesOnByName() throws {
    var graph = Graph()
    graph.add(
      "protocol Tracer",
      [
        "func span<T>(_ value: (Int) throws -> T) rethrows -> T",
        "func both<T>(_ values: (Int, Int) -> T) -> T",
      ])
    #expect(
      try graph.source(of: "Tracer").text.split(separator: "\n")
        .filter { $0.hasPrefix("    ") } == [
          "    let argument = span.call()", "    return try value(argument)",
          "    let arguments = both.call()", "    return values(arguments.0, arguments.1)",
        ])
  }

  @Test("names what is to be written by hand, with the reason and the line")
  func byHand() throws {
    var graph = Graph()
    graph.add(
      "protocol Parser",
      ["func pairs<each T>(_ value: repeat each T) -> (repeat each T)", "func next() -> Span<Int>"])
    let source = try graph.source(of: "Parser", refusing: ["canBeKept Span<Int>"])
    #expect(
      source.byHand == [
        "`Parser.pairs(_:)`: its result is made of a parameter pack: "
          + "extension ParserDouble { func pairs<each T>(_ value: repeat each T) "
          + "-> (repeat each T) { … } }",
        "`Parser.next()`: its result cannot be copied or kept: "
          + "extension ParserDouble { func next() -> Span<Int> { … } }",
      ])
    #expect(
      source.text.hasSuffix(
        """
          // `next()` is to be written by hand, for its result cannot be copied or kept:
          // extension ParserDouble { func next() -> Span<Int> { … } }
        }

        """))
  }
}
