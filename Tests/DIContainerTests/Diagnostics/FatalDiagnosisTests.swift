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
        - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
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
        from:       \(here):\(line + 2)
        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
        - To have it thrown, request `Checkout` with `try require`, and in closures with \
      `try r.require()`.
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
        from:       \(here):\(line + 2)
        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
        - To have it thrown, request `Checkout` with `try require`, and in closures with \
      `try r.require()`.
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
      The factory for `Catalog` returned nil.

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)
        asked:       container made at \(here):\(line)

      To fix this:
        - Use `optional` if the factory may return nil, or make it return an instance.
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
        from:       \(here):\(line + 3)
        requested:  \(here):\(line + 2)

      To fix this:
        - Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
        - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, \
      for the one that is requested first.
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
        - Make `Catalog` conform to `Payments`, or remove the `.implements`.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }
}
