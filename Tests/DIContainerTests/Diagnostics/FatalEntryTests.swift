import DIContainer
import Testing

private protocol Payments {}
private struct Catalog {}

/// What a process prints that traps elsewhere than where a container is asked.
@Suite("Fatal diagnoses at other entries")
struct FatalEntryTests {
  private let here = "DIContainerTests/FatalEntryTests.swift"

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
      FatalEntryTests.trapContainerCycle()
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
      FatalEntryTests.trapPropertyWrappers()
    }
    let start = "Nothing is registered for `Catalog \"x\"`.\n\n  requested:  \(here):\(line)"
    #expect(result?.errorText.contains(start) ?? false)
    let next = Self.trapPropertyWrappersAgainLine + 1
    let lazy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalEntryTests.trapPropertyWrappersAgain()
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
      FatalEntryTests.trapStatics()
    }
    let text = """
      Nothing is registered for `Catalog`.

        requested:  \(here):\(line)
        asked:      main

      To fix this:
        - Register it: `register { … as Catalog }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(result?.start(of: fatal(line, text)) == fatal(line, text))
  }
}
