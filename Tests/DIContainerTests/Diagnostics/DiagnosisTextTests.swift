import DIContainer
import Testing

private protocol Payments {}
private protocol Refunds {}
private struct LivePayments: Payments {}
private struct Catalog {}
private struct Checkout {
  init(payments: any Payments, catalog: Catalog) {}
}
private struct Shop {
  init(checkout: Checkout) {}
}
private struct OutOfStock: Error {}

/// The whole text of each diagnosis, as `require` throws it.
@Suite("Diagnoses")
struct DiagnosisTextTests {
  private static let madeAt = #line + 1
  private let resolver: Resolver = Resolver()

  private let here = "DIContainerTests/DiagnosisTextTests.swift"
  private var container: String { "container made at \(here):\(Self.madeAt)" }

  private func text<Service>(
    _ type: Service.Type, name: Resolver.Name? = nil, args: Any? = nil, line: UInt = #line
  ) -> String {
    do throws(ResolutionError) {
      _ = try resolver.require(type, name: name, args: args, line: line)
      return "resolved"
    } catch {
      return error.description
    }
  }

  @Test("Nothing registered at all")
  func notRegistered() {
    let line = #line + 1
    let text = text(Catalog.self)
    #expect(
      text == """
        Nothing is registered for `Catalog`.

          requested:  \(text.isEmpty ? "" : "")DIContainerTests/DiagnosisTextTests.swift:\(line)
          asked:      \(container)

        To fix this:
          - Register it: `register { … as Catalog }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
        """)
  }

  @Test("A dependency is missing further down: the chain leads there")
  func chain() {
    let line = #line + 1
    resolver.register(Checkout.init)
    resolver.register(Shop.init)
    #expect(
      text(Shop.self) == """
        Nothing is registered for `any Payments`.

          chain:      Shop → Checkout → any Payments
          from:       \(here):\(line + 2)
          requested:  \(here):\(line)
          asked:      \(container)

        To fix this:
          - Register it: `register { … as any Payments }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `(any Payments)?`.
        """)
  }

  @Test("Registered under a name that differs in case")
  func nameInOtherCase() {
    let registered = #line + 1
    resolver.register(name: "Fred") { LivePayments() as any Payments }
    let line = #line + 1
    #expect(
      text((any Payments).self, name: "fred") == """
        Nothing is registered for `any Payments "fred"`.

          requested:  \(here):\(line)
          asked:      \(container)
          close:      `any Payments "Fred"` is registered (\(here):\(registered))

        To fix this:
          - It is registered under "Fred", and was requested under "fred": use one.
          - Register it: `register(name: "fred") { … as any Payments }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `(any Payments)?`.
        """)
  }

  @Test("Registered with a name, asked for without, and the other way round")
  func withAndWithoutName() {
    resolver.register(name: "main") { Catalog() }
    #expect(
      text(Catalog.self).contains(
        "  - It is registered under \"main\", and was requested under no name: use one.\n"))
    resolver.remove(Catalog.self, name: "main")
    resolver.register { Catalog() }
    #expect(
      text(Catalog.self, name: "main").contains(
        "  - It is registered under no name, and was requested under \"main\": use one.\n"))
  }

  @Test("Registered for the concrete type only: implements is missing")
  func implementsIsMissing() {
    let registered = #line + 1
    resolver.register { LivePayments() }
    let line = #line + 1
    #expect(
      text((any Payments).self) == """
        Nothing is registered for `any Payments`.

          requested:  \(here):\(line)
          asked:      \(container)
          close:      `LivePayments` is registered (\(here):\(registered))

        To fix this:
          - Add `.implements((any Payments).self)` to the registration of `LivePayments`.
          - Register it: `register { … as any Payments }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `(any Payments)?`.
        """)
    resolver.register(name: "card") { LivePayments() }
    #expect(
      text((any Payments).self, name: "card").contains(
        "  - Add `.implements((any Payments).self, name: \"card\")` to the registration of "
          + "`LivePayments`.\n"))
  }

  @Test("Registered in main, but asked of a container that does not reach it")
  func otherContainer() {
    inSandbox {
      let registered = #line + 1
      Resolver.register { Catalog() }
      let line = #line + 1
      #expect(
        text(Catalog.self) == """
          Nothing is registered for `Catalog`.

            requested:  \(here):\(line)
            asked:      \(container)
            close:      `Catalog` is registered in main (\(here):\(registered))

          To fix this:
            - Ask main, or nest it: `add(child:)`.
            - Register it: `register { … as Catalog }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
          """)
    }
  }

  @Test("A composition of protocols and an optional are spelled as in source code")
  func spellings() {
    #expect(
      text((any Payments & Refunds).self).hasPrefix(
        "Nothing is registered for `any Payments & Refunds`.\n"))
    #expect(text([Catalog].self).hasPrefix("Nothing is registered for `Array<Catalog>`.\n"))
    #expect(ServiceKey((any Payments)?.self).description == "(any Payments)?")
    #expect(ServiceKey(Catalog?.self).description == "Catalog?")
    #expect(ServiceKey(Any.self).description == "Any")
  }

  @Test("A factory that answers nil")
  func factoryReturnedNil() {
    let registered = #line + 1
    resolver.register { () -> Catalog? in nil }
    let line = #line + 1
    #expect(
      text(Catalog.self) == """
        The factory for `Catalog` returned nil.

          requested:   \(here):\(line)
          registered:  \(here):\(registered)
          asked:       \(container)

        To fix this:
          - Use `optional` if the factory may return nil, or make it return an instance.
        """)
  }

  @Test("A factory that throws", arguments: [Scope.unique, .graph, .cached])
  func factoryFailed(scope: Scope) {
    let registered = #line + 1
    resolver.register { () throws -> Catalog in throw OutOfStock() }.scope(scope)
    let line = #line + 1
    #expect(
      text(Catalog.self) == """
        The factory of `Catalog` threw: OutOfStock()

          requested:   \(here):\(line)
          registered:  \(here):\(registered)

        To fix this:
          - Handle the error where the service is resolved, or in the factory.
        """)
  }

  @Test("A service that needs itself by way of others")
  func cycle() {
    resolver.register(name: "a") { r -> Int in try r.require(name: "b") }
    resolver.register(name: "b") { r -> Int in try r.require(name: "c") }
    let line = #line + 1
    resolver.register(name: "c") { r -> Int in try r.require(name: "a") }
    #expect(
      text(Int.self, name: "a") == """
        `Int "a"` needs itself.

          chain:      Int "a" → Int "b" → Int "c" → Int "a"
          from:       \(here):\(line + 1)
          requested:  \(here):\(line)

        To fix this:
          - Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
          - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, \
        for the one that is requested first.
        """)
  }

  @Test("A promise of implements that does not hold")
  func notImplemented() {
    let registered = #line + 1
    resolver.register { Catalog() }.implements((any Payments).self)
    let line = #line + 1
    #expect(
      text((any Payments).self) == """
        `Catalog` was registered to implement `any Payments`, but does not conform to it.

          requested:   \(here):\(line)
          registered:  \(here):\(registered)

        To fix this:
          - Make `Catalog` conform to `Payments`, or remove the `.implements`.
        """)
  }

  @Test("A missing argument")
  func missingArgument() {
    let read = #line + 1
    resolver.register { _, args -> Int in try args.require() }
    let readByKey = #line + 1
    resolver.register(name: "key") { _, args -> Int in try args.require("id") }
    var line = #line + 1
    #expect(
      text(Int.self) == """
        The factory of `Int` needs an argument of type `Int`: none was passed.

          requested:  \(here):\(line)
          read:       \(here):\(read)

        To fix this:
          - Pass it: `args: …` with a value of type `Int`.
          - If it may be absent, read it with `args.optional()`.
        """)
    line = #line + 1
    #expect(
      text(Int.self, name: "key", args: ["nr": 1, "name": "x"]) == """
        The factory of `Int "key"` needs an argument "id" of type `Int`: it is missing.

          requested:  \(here):\(line)
          read:       \(here):\(readByKey)

        To fix this:
          - Pass it: `args: ["id": …]` with a value of type `Int` (passed: "name", "nr").
          - If it may be absent, read it with `args.optional("id")`.
        """)
    line = #line + 1
    #expect(
      text(Int.self, name: "key", args: 3) == """
        The factory of `Int "key"` needs an argument "id" of type `Int`: it is missing.

          requested:  \(here):\(line)
          read:       \(here):\(readByKey)

        To fix this:
          - Pass it: `args: ["id": …]` with a value of type `Int` (passed: one without a key).
          - If it may be absent, read it with `args.optional("id")`.
        """)
  }

  @Test("An argument of the wrong type, and one too many")
  func wrongArgument() {
    let read = #line + 1
    resolver.register { _, args -> Int in try args.require() }
    var line = #line + 1
    #expect(
      text(Int.self, args: "5") == """
        The factory of `Int` reads its argument as `Int`, but it is of type `String`.

          requested:  \(here):\(line)
          read:       \(here):\(read)

        To fix this:
          - Pass a value of type `Int`, or read it as `String`.
        """)
    line = #line + 1
    #expect(
      text(Int.self, args: ["a": 1, "b": 2]) == """
        The factory of `Int` reads its only argument, but several were passed.

          requested:  \(here):\(line)
          read:       \(here):\(read)

        To fix this:
          - Read each by its key: `args("a")`, `args("b")`.
        """)
  }

  @Test("A chain that is too deep shows its two ends")
  func tooDeep() {
    let chain = (1...30).map {
      ChainLink(key: ServiceKey(Int.self, name: Resolver.Name("\($0)")), location: CodeLocation())
    }
    let line = #line + 1
    let error = ResolutionError(.tooDeep, key: chain.last?.key, chain: chain, at: CodeLocation())
    let ends = ((1...12).map { "Int \"\($0)\"" }, (19...30).map { "Int \"\($0)\"" })
    #expect(
      error.description == """
        The dependency chain (30 levels) exceeds this thread's stack.

          chain:      \(ends.0.joined(separator: " → ")) → … 6 more … → \
        \(ends.1.joined(separator: " → "))
          from:       \(here):\(line - 3)
          requested:  \(here):\(line)

        To fix this:
          - Look for a factory that requests its own service with other arguments endlessly.
          - Resolve on a thread with a larger stack, or break the chain with `@LazyInjected`.
        """)
  }

  @Test("Keys and locations read as in source code")
  func parts() {
    #expect(ServiceKey((any Payments).self, name: "card").description == "any Payments \"card\"")
    let line = UInt(#line + 1)
    let location = CodeLocation()
    #expect(location.description == "\(here):\(line)")
    #expect(location.filePath.hasSuffix("/DiagnosisTextTests.swift"))
  }
}
