import DIContainer
import Testing

private final class Knot {
  init(_ other: Knot?) {}
}

extension Container {
  fileprivate var knotA: Factory<Knot> { self { Knot(try self.knotB.require()) } }
  fileprivate var knotB: Factory<Knot> { self { Knot(try self.knotA.require()) } }
  fileprivate var promisedCourier: Factory<(any Courier)?> { promised() }
  fileprivate var failing: Factory<Knot> { self { throw Torn() } }
}

private struct Torn: Error {}

/// A container that asks for the shared instance while it is being made.
private final class Impatient: DefaultSharedContainer {
  let manager = ContainerManager()
  init() { _ = Self.shared }
}

@Suite("Diagnoses by key path")
struct FactoryDiagnosticsTests {
  @Test("A circle of properties is an error with its chain")
  func cycle() throws {
    let container = Resolver()
    let error = #expect(throws: ResolutionError.self) { try container.knotA.require() }
    #expect(error?.reason == .cycle)
    #expect(
      error?.chain.map(\.description) == ["knotA: Knot", "knotB: Knot", "knotA: Knot"])
    // Nothing sets a property's dependencies once both exist.
    let fix = """
      To fix this:
        - Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
      """
    #expect(error?.description.hasSuffix("\n" + fix) == true)
  }

  @Test("What a closure throws is an error that names the property")
  func throwing() {
    let error = #expect(throws: ResolutionError.self) { try Resolver().failing.require() }
    #expect(error?.description.hasPrefix("The factory of `failing: Knot` threw: Torn()") ?? false)
  }

  @Test("What was promised is nil until it is registered, and an error where it is required")
  func promised() throws {
    let container = Resolver()
    let courier: (any Courier)? = container.promisedCourier()
    #expect(courier == nil)
    let line: UInt = #line + 1
    let error = #expect(throws: ResolutionError.self) { try container.promisedCourier.require() }
    #expect(
      error?.description == """
        Nothing is registered for `promisedCourier: (any Courier)?`.

          requested:  DIContainerTests/FactoryDiagnosticsTests.swift:\(line)
          asked:      \(container.core.label)

        To fix this:
          - Register it before it is requested: `container.promisedCourier.register { … }`.
          - If it is optional, resolve it as an optional: `let service = \
        container.promisedCourier()`.
        """)
    container.promisedCourier.register { FakeCourier() }
    #expect(try container.promisedCourier.require()?.name == "fake")
    let sure: any Courier = container.promisedCourier()
    #expect(sure.name == "fake")
    container.promisedCourier.register { nil }
    let empty = #expect(throws: ResolutionError.self) { try container.promisedCourier.require() }
    #expect(empty?.reason == .factoryReturnedNil)
  }

  @Test("What was promised and not registered traps where it is asked for without a question mark")
  func promisedTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let sure: any Courier = Resolver().promisedCourier()
      _ = sure
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("Nothing is registered for `promisedCourier: (any Courier)?`."))
  }

  @Test("A container whose `init()` asks for its own shared instance traps, and says what to do")
  func sharedInInit() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Impatient.shared
    }
    let text = """
      The `init()` of `Impatient` uses its own `shared` instance.

      To fix this:
        - Use `self` in `init()`, and pass it along to what `init()` makes: it will be `shared`.
        - Or put it off: `AutoRegistering` has `autoRegister()` called before the first request.
      """
    let expected = fatal(0, text, fileID: "DIContainer/DefaultSharedContainer.swift")
    #expect(result?.start(of: expected) == expected)
  }
}
