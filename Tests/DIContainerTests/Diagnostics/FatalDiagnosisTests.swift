import DIContainer
import Testing

private protocol Payments {}
private struct LivePayments: Payments {}
private struct Catalog {}
private struct Checkout {
  let catalog: Catalog
}
private struct OutOfStock: Error {}

/// What a process that traps prints, at the line that is to blame.
@Suite("Fatal diagnoses")
struct FatalDiagnosisTests {
  private let here = "DIContainerTests/FatalDiagnosisTests.swift"

  private static let trapResolveLine = #line + 2
  private static func trapResolve() {
    let resolver = Resolver()
    _ = resolver.resolve(Catalog.self, name: "summer")
  }

  @Test("resolve: nothing is registered")
  func resolve() async {
    let line = Self.trapResolveLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapResolve()
    }
    let text = """
      Nothing is registered for `Catalog "summer"`.

        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register(name: "summer") { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.start(of: fatal(line + 1, text)) == fatal(line + 1, text))
  }

  private static let trapChainLine = #line + 2
  private static func trapChain() {
    let resolver = Resolver()
    resolver.register { r in Checkout(catalog: r.resolve()) }
    _ = resolver.resolve(Checkout.self)
  }

  @Test("resolve: a dependency is missing further down")
  func chain() async {
    let line = Self.trapChainLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapChain()
    }
    let text = """
      Nothing is registered for `Catalog`.

        chain:      Checkout → Catalog
        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.start(of: fatal(line + 1, text)) == fatal(line + 1, text))
  }

  private static let trapOptionalLine = #line + 2
  private static func trapOptional() {
    let resolver = Resolver()
    resolver.register(Checkout.init)
    _ = resolver.optional(Checkout.self)
  }

  @Test("optional does not hide a broken dependency")
  func optional() async {
    let line = Self.trapOptionalLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapOptional()
    }
    let text = """
      Nothing is registered for `Catalog`.

        chain:      Checkout → Catalog
        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.start(of: fatal(line + 1, text)) == fatal(line + 1, text))
  }

  private static let trapFactoryReturnedNilLine = #line + 2
  private static func trapFactoryReturnedNil() {
    let resolver = Resolver()
    resolver.register { () -> Catalog? in nil }
    _ = resolver.resolve(Catalog.self)
  }

  @Test("resolve: the factory answers nil")
  func factoryReturnedNil() async {
    let line = Self.trapFactoryReturnedNilLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapFactoryReturnedNil()
    }
    let text = """
      The factory of `Catalog` answered nil.

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)
        asked:       container made at \(here):\(line)

      To fix this:
        - Ask with `optional` if the factory may answer nil, or make it return an instance.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapFactoryFailedLine = #line + 2
  private static func trapFactoryFailed() {
    let resolver = Resolver()
    resolver.register { () throws -> Catalog in throw OutOfStock() }
    _ = resolver.resolve(Catalog.self)
  }

  @Test("resolve: the factory throws")
  func factoryFailed() async {
    let line = Self.trapFactoryFailedLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapFactoryFailed()
    }
    let text = """
      The factory of `Catalog` threw: OutOfStock()

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)

      To fix this:
        - Handle the error with `try require`, or in the factory.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapCycleLine = #line + 2
  private static func trapCycle() {
    let resolver = Resolver()
    resolver.register(name: "a") { r -> Int in r.resolve(name: "b") }
    resolver.register(name: "b") { r -> Int in r.resolve(name: "a") }
    _ = resolver.resolve(Int.self, name: "a")
  }

  @Test("resolve: a cycle")
  func cycle() async {
    let line = Self.trapCycleLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapCycle()
    }
    let text = """
      `Int "a"` needs itself.

        chain:      Int "a" → Int "b" → Int "a"
        requested:  \(here):\(line + 2)

      To fix this:
        - Let one of them ask later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
        - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, \
      for the one that is asked for first.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapNotImplementedLine = #line + 2
  private static func trapNotImplemented() {
    let resolver = Resolver()
    resolver.register { Catalog() }.implements((any Payments).self)
    _ = resolver.resolve((any Payments).self)
  }

  @Test("resolve: implements promised too much")
  func notImplemented() async {
    let line = Self.trapNotImplementedLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapNotImplemented()
    }
    let text = """
      `Catalog` was registered to implement `any Payments`, but does not conform to it.

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)

      To fix this:
        - Make `Catalog` conform to `any Payments`, or take the `.implements` away.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapMissingArgumentLine = #line + 2
  private static func trapMissingArgument() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args() }
    _ = resolver.resolve(Int.self)
  }

  @Test("args(): none was passed, with the request's line to blame")
  func missingArgument() async {
    let line = Self.trapMissingArgumentLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapMissingArgument()
    }
    let text = """
      The factory of `Int` needs an argument of type `Int`: none was passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: …` with a value of type `Int`.
        - If it may be absent, read it with `args.optional()`.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapKeyedArgumentLine = #line + 2
  private static func trapKeyedArgument() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args("id") }
    _ = resolver.resolve(Int.self, args: ["nr": 3])
  }

  private static let trapKeyedArgumentAgainLine = #line + 2
  private static func trapKeyedArgumentAgain() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args("id") }
    _ = resolver.resolve(Int.self, args: ["id": "3"])
  }

  @Test("args(key): missing, and of the wrong type")
  func keyedArgument() async {
    let line = Self.trapKeyedArgumentLine
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapKeyedArgument()
    }
    let missingText = """
      The factory of `Int` needs an argument "id" of type `Int`: it is missing.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: ["id": …]` with a value of type `Int` (passed: "nr").
        - If it may be absent, read it with `args.optional("id")`.
      """
    #expect(missing?.start(of: fatal(line + 2, missingText)) == fatal(line + 2, missingText))
    let next = Self.trapKeyedArgumentAgainLine
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapKeyedArgumentAgain()
    }
    let wrongText = """
      The factory of `Int` reads the argument "id" as `Int`, but it is of type `String`.

        requested:  \(here):\(next + 2)
        read:       \(here):\(next + 1)

      To fix this:
        - Pass a value of type `Int`, or read it as `String`.
      """
    #expect(wrong?.start(of: fatal(next + 2, wrongText)) == fatal(next + 2, wrongText))
  }

  private static let trapSeveralArgumentsLine = #line + 2
  private static func trapSeveralArguments() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args() }
    _ = resolver.resolve(Int.self, args: ["a": 1, "b": 2])
  }

  @Test("args(): several were passed")
  func severalArguments() async {
    let line = Self.trapSeveralArgumentsLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapSeveralArguments()
    }
    let text = """
      The factory of `Int` reads its only argument, but several were passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Read each by its key: `args("a")`, `args("b")`.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapContainerCycleLine = #line + 2
  private static func trapContainerCycle() {
    let inner = Resolver()
    let middle = Resolver(child: inner)
    let outer = Resolver(child: middle)
    inner.add(child: outer)
  }

  @Test("add(child:): a container cannot contain itself, by way of others either")
  func containerCycle() async {
    let line = Self.trapContainerCycleLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapContainerCycle()
    }
    let text = """
      A container cannot contain itself, directly or by way of others.

        child:  container made at \(here):\(line + 2)
        into:   container made at \(here):\(line)
        added:  \(here):\(line + 3)

      To fix this:
        - Nest containers in one direction only: `add(child:)` looks from the outer into the inner.
      """
    #expect(result?.start(of: fatal(line + 3, text)) == fatal(line + 3, text))
    await #expect(processExitsWith: .failure) { Resolver.main.add(child: .main) }
  }

  private static let trapPropertyWrappersLine = #line + 2
  private static func trapPropertyWrappers() {
    struct Screen {
      @Injected(name: "x") var catalog: Catalog
    }
    _ = Screen()
  }

  private static let trapPropertyWrappersAgainLine = #line + 2
  private static func trapPropertyWrappersAgain() {
    final class Screen {
      @LazyInjected var payments: any Payments
    }
    _ = Screen().payments
  }

  @Test("A property wrapper blames the property")
  func propertyWrappers() async {
    let line = Self.trapPropertyWrappersLine + 1
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapPropertyWrappers()
    }
    let start = "Nothing is registered for `Catalog \"x\"`.\n\n  requested:  \(here):\(line)"
    #expect(result?.errorText.contains(start) ?? false)
    let next = Self.trapPropertyWrappersAgainLine + 1
    let lazy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapPropertyWrappersAgain()
    }
    let lazyStart = "Nothing is registered for `any Payments`.\n\n  requested:  \(here):\(next)"
    #expect(lazy?.errorText.contains(lazyStart) ?? false)
  }

  @Test("Force-unwrapping what is missing traps like any nil")
  func forceUnwrapping() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      _ = resolver.resolve(Catalog.self)!
    }
    // The text is the standard library's, which prints none in code that is optimised.
    #if DEBUG
    #expect(result?.errorText.contains("nil while unwrapping an Optional value") ?? false)
    #else
    #expect(result?.errorText.contains("Nothing is registered") == false)
    #endif
  }

  private static let trapStaticsLine = #line + 2
  private static func trapStatics() {
    let _: Catalog = Resolver.resolve()
  }

  @Test("Static resolve blames its caller, and names the root")
  func statics() async {
    let line = Self.trapStaticsLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalDiagnosisTests.trapStatics()
    }
    let text = """
      Nothing is registered for `Catalog`.

        requested:  \(here):\(line)
        asked:      main

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.start(of: fatal(line, text)) == fatal(line, text))
  }
}
