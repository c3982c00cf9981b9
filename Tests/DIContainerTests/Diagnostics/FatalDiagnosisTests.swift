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

  @Test("resolve: nothing is registered")
  func resolve() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      _ = resolver.resolve(Catalog.self, name: "summer")
    }
    let text = """
      Nothing is registered for `Catalog "summer"`.

        requested:  \(here):\(line + 1)
        asked:      container made at \(here):\(line)

      To fix this:
        - Register it: `register(name: "summer") { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 1, text)) ?? false)
  }

  @Test("resolve: a dependency is missing further down")
  func chain() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { r in Checkout(catalog: r.resolve()) }
      _ = resolver.resolve(Checkout.self)
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
    #expect(result?.errorText.hasPrefix(fatal(line + 1, text)) ?? false)
  }

  @Test("optional does not hide a broken dependency")
  func optional() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register(Checkout.init)
      _ = resolver.optional(Checkout.self)
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
    #expect(result?.errorText.hasPrefix(fatal(line + 1, text)) ?? false)
  }

  @Test("resolve: the factory answers nil")
  func factoryReturnedNil() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { () -> Catalog? in nil }
      _ = resolver.resolve(Catalog.self)
    }
    let text = """
      The factory of `Catalog` answered nil.

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)
        asked:       container made at \(here):\(line)

      To fix this:
        - Ask with `optional` if the factory may answer nil, or make it return an instance.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("resolve: the factory throws")
  func factoryFailed() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { () throws -> Catalog in throw OutOfStock() }
      _ = resolver.resolve(Catalog.self)
    }
    let text = """
      The factory of `Catalog` threw: OutOfStock()

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)

      To fix this:
        - Handle the error with `try require`, or in the factory.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("resolve: a cycle")
  func cycle() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register(name: "a") { r -> Int in r.resolve(name: "b") }
      resolver.register(name: "b") { r -> Int in r.resolve(name: "a") }
      _ = resolver.resolve(Int.self, name: "a")
    }
    let text = """
      `Int "a"` needs itself.

        chain:      Int "a" → Int "b" → Int "a"
        requested:  \(here):\(line + 2)

      To fix this:
        - Let one of them ask later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
        - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("resolve: implements promised too much")
  func notImplemented() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { Catalog() }.implements((any Payments).self)
      _ = resolver.resolve((any Payments).self)
    }
    let text = """
      `Catalog` was registered to implement `any Payments`, but does not conform to it.

        requested:   \(here):\(line + 2)
        registered:  \(here):\(line + 1)

      To fix this:
        - Make `Catalog` conform to `any Payments`, or take the `.implements` away.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("args(): none was passed, with the request's line to blame")
  func missingArgument() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { _, args -> Int in args() }
      _ = resolver.resolve(Int.self)
    }
    let text = """
      The factory of `Int` needs an argument of type `Int`: none was passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: …` with a value of type `Int`.
        - If it may be absent, read it with `args.optional()`.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("args(key): missing, and of the wrong type")
  func keyedArgument() async {
    let line = #line + 2
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { _, args -> Int in args("id") }
      _ = resolver.resolve(Int.self, args: ["nr": 3])
    }
    let missingText = """
      The factory of `Int` needs an argument "id" of type `Int`: it is missing.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: ["id": …]` with a value of type `Int` (passed: "nr").
        - If it may be absent, read it with `args.optional("id")`.
      """
    #expect(missing?.errorText.hasPrefix(fatal(line + 2, missingText)) ?? false)
    let next = #line + 2
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { _, args -> Int in args("id") }
      _ = resolver.resolve(Int.self, args: ["id": "3"])
    }
    let wrongText = """
      The factory of `Int` reads the argument "id" as `Int`, but it is of type `String`.

        requested:  \(here):\(next + 2)
        read:       \(here):\(next + 1)

      To fix this:
        - Pass a value of type `Int`, or read it as `String`.
      """
    #expect(wrong?.errorText.hasPrefix(fatal(next + 2, wrongText)) ?? false)
  }

  @Test("args(): several were passed")
  func severalArguments() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let resolver = Resolver()
      resolver.register { _, args -> Int in args() }
      _ = resolver.resolve(Int.self, args: ["a": 1, "b": 2])
    }
    let text = """
      The factory of `Int` reads its only argument, but several were passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Read each by its key: `args("a")`, `args("b")`.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 2, text)) ?? false)
  }

  @Test("add(child:): a container cannot contain itself, by way of others either")
  func containerCycle() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let inner = Resolver()
      let middle = Resolver(child: inner)
      let outer = Resolver(child: middle)
      inner.add(child: outer)
    }
    let text = """
      A container cannot contain itself, directly or by way of others.

        child:  container made at \(here):\(line + 2)
        into:   container made at \(here):\(line)
        added:  \(here):\(line + 3)

      To fix this:
        - Nest containers in one direction only: `add(child:)` looks from the outer into the inner.
      """
    #expect(result?.errorText.hasPrefix(fatal(line + 3, text)) ?? false)
    await #expect(processExitsWith: .failure) { Resolver.main.add(child: .main) }
  }

  @Test("A property wrapper blames the property")
  func propertyWrappers() async {
    let line = #line + 3
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Screen {
        @Injected(name: "x") var catalog: Catalog
      }
      _ = Screen()
    }
    let start = "Nothing is registered for `Catalog \"x\"`.\n\n  requested:  \(here):\(line)"
    #expect(result?.errorText.contains(start) ?? false)
    let next = #line + 3
    let lazy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Screen {
        @LazyInjected var payments: any Payments
      }
      _ = Screen().payments
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
    #expect(result?.errorText.contains("unexpectedly found nil") ?? false)
  }

  @Test("Static resolve blames its caller, and names the root")
  func statics() async {
    let line = #line + 2
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: Catalog = Resolver.resolve()
    }
    let text = """
      Nothing is registered for `Catalog`.

        requested:  \(here):\(line)
        asked:      main

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it may be absent, ask with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.errorText.hasPrefix(fatal(line, text)) ?? false)
  }
}
