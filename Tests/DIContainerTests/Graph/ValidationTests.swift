@testable import DIContainer
import DITesting
import Synchronization
import Testing

private struct Shop {}
private struct Checkout {}
private protocol Ticking {}
private struct Clock: Ticking {}
private struct Mailer {}
private final class Cart {}

extension Scope {
  fileprivate static let visit = Scope.cache("visit")
}

@Suite struct ValidationTests {
  @Test func `Validating runs no factory`() throws {
    let shop = Resolver(named: "shop")
    let runs = Atomic()
    shop.register { () -> Clock in
      runs.increment()
      return Clock()
    }
    shop.register { (_: Clock) -> Checkout in
      runs.increment()
      return Checkout()
    }.scope(.application)
    let report = try shop.validate(roots: [Checkout.self])
    _ = "\(shop.graph)" + shop.graph.mermaid + shop.graph.dot
    #expect(runs.value == 0)
    #expect(report.unseen.map(\.description) == ["Clock"])
  }

  @Test func `A green check says what it could not see`() throws {
    let shop = Resolver(named: "shop")
    shop.register { r -> Checkout in
      _ = r.resolve(Clock.self) as Clock
      return Checkout()
    }
    let report = try shop.validate()
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen, since validating runs no factory: what the closures of `Checkout` resolve.
        Check that too with `validate(dryRun: true)`, or register initialisers.
        """)
  }

  @Test(arguments: [false, true])
  func `An initialiser that cannot await a dependency is a fault`(dryRun: Bool) {
    let shop = Resolver(named: "shop")
    shop.registerAsync(line: 3) { Clock() }
    shop.register({ (_: Clock) in Checkout() }, line: 5)
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: dryRun) }
    #expect(
      error?.description == """
        1 thing is wrong with the wiring of shop.

        1. The factory of `Clock` is async, and was requested without `await`.

             chain:       Checkout → Clock
             requested:   DIContainerTests/ValidationTests.swift:5
             registered:  DIContainerTests/ValidationTests.swift:3

           To fix this:
             - Request it with `await`: `try await Resolver.root.requireAsync(Clock.self)`.
             - A factory that needs it is async in turn: `registerAsync { r in … }`.

        Not seen\(dryRun ? "" : ", since validating runs no factory"): what the closures of \
        `Clock` resolve.
        \(dryRun ? "The dry run left them or a dependency out, or they are async, or failed, or returned nil."
          : "Check that too with `validate(dryRun: true)`, or register initialisers.")
        """)
  }

  @Test(arguments: [false, true])
  func `An initialiser may need an async service as another, in a decoration, or as an optional`(
    dryRun: Bool
  ) {
    let shop = Resolver(named: "shop")
    shop.registerAsync(line: 3) { Clock() }.implements((any Ticking).self)
    shop.register({ (_: any Ticking) in Checkout() }, line: 5)
    shop.registerAsync(line: 7) { Cart() }
    shop.decorate(ServiceKey(Cart.self), at: CodeLocation(line: 9)) { (cart: Cart) in cart }
    shop.register({ (_: Cart?) in Mailer() }, line: 11)
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: dryRun) }
    #expect(
      error?.report.errors.map { $0.chain.map(\.description) } == [
        ["Mailer", "Cart", "Cart"], ["Checkout", "any Ticking"],
      ])
  }

  @Test func `What can be awaited, or is needed later, is no fault`() throws {
    let shop = Resolver(named: "shop")
    shop.registerAsync { Clock() }
    shop.registerAsync({ (_: Clock) async in Checkout() })
    shop.register { (_: LazyInjected<Clock>) in Mailer() }
    try shop.validate()
  }

  @Test func `What resolveProperties asks for is not seen either, until it runs`() throws {
    let shop = Resolver(named: "shop")
    shop.register { (_: Clock) in Checkout() }
      .resolveProperties { r, _ in _ = r.resolve(Mailer.self) as Mailer }
    shop.register { Clock() }
    shop.register { (_: Clock) in Mailer() }
    let report = try shop.validate(roots: [Checkout.self])
    #expect(report.unseen.map(\.description) == ["Checkout", "Clock"])
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen, since validating runs no factory: what the closures of `Checkout`, `Clock` resolve.
        Check that too with `validate(dryRun: true)`, or register initialisers.
        """)
    let dry = try shop.validate(roots: [Checkout.self], dryRun: true)
    #expect(dry.unseen == [])
    #expect(dry.warnings.isEmpty)
  }

  @Test func `All that is wrong is in one error, worst first`() {
    let shop = Resolver(named: "shop")
    shop.register { (_: Clock, _: Mailer) in Checkout() }
    shop.register(Cart.init)
    let error = #expect(throws: ValidationError.self) {
      try shop.validate(roots: [Checkout.self])
    }
    #expect(error?.findings.map(\.kind) == [.missing, .missing])
    #expect(error?.findings.map(\.severity) == [.error, .error])
    #expect(error?.findings[0].chain.map(\.description) == ["Checkout", "Clock"])
  }

  @Test func `A root that a closure makes is an error, unless it was seen to run`() throws {
    let shop = Resolver(named: "shop")
    shop.register(line: 3) { r in Checkout() }
    let error = #expect(throws: ValidationError.self) {
      try shop.validate(roots: [Checkout.self])
    }
    #expect(
      error?.findings.map(\.description) == [
        """
        What the root `Checkout` needs cannot be seen: a closure makes it.

          registered:  DIContainerTests/ValidationTests.swift:3

        To fix this:
          - Run the closures in a sandbox: `validate(roots: …, dryRun: true)`.
          - Or register an initialiser, whose parameters are known.
        """
      ])
    #expect(error?.findings.map(\.kind) == [.unseenRoot])
    #expect(try shop.validate().findings.isEmpty)
    #expect(try shop.validate(roots: [Checkout.self], dryRun: true).findings.isEmpty)
    let recorder = ResolutionRecorder()
    withRecorder(recorder) { _ = shop.resolve(Checkout.self) }
    #expect(
      try shop.validate(roots: [Checkout.self], observedBy: [recorder]).findings.isEmpty)
  }

  @Test func `A service that is registered twice in one container is a warning`() throws {
    let base = Resolver(named: "base")
    base.register(Clock.init)
    let shop = Resolver(named: "shop")
    shop.add(child: base)
    // This hides another container's.
    shop.register(Clock.init, line: 3)
    #expect(try shop.validate().findings.isEmpty)
    shop.register(Clock.init, line: 4)
    #expect(
      try shop.validate().warnings.map(\.description) == [
        """
        `Clock` is registered twice in shop: the later registration counts.

          first:  DIContainerTests/ValidationTests.swift:3
          later:  DIContainerTests/ValidationTests.swift:4

        To fix this:
          - Remove one of them, or give one a name.
        """
      ])
    try ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      shop.register(Clock.init)
      let report = try shop.validate()
      #expect(report.findings.isEmpty)
    }
    shop.remove(Clock.self)
    shop.register(Clock.init)
    #expect(try shop.validate().findings.isEmpty)
  }

  @Test func `An instance that outlives the scope of what it holds is a warning`() throws {
    let shop = Resolver(named: "shop")
    shop.register(Cart.init, line: 1).scope(.visit)
    shop.register({ (_: Cart) in Checkout() }, line: 2).scope(.application)
    let report = try shop.validate()
    #expect(
      report.warnings.map(\.description) == [
        """
        `Checkout` keeps a `Cart` that visit.reset() releases.

          chain:  Checkout → Cart
          kept:   application (DIContainerTests/ValidationTests.swift:2)
          holds:  `Cart`, visit (DIContainerTests/ValidationTests.swift:1)

        To fix this:
          - Resolve it when it is needed: with `@LazyInjected`, or in the method.
          - Or keep both in one scope.
        """
      ])
  }

  @Test func `A lazy parameter asks the container that built it, when it is used`() {
    final class Press {
      @LazyInjected var clock: Clock
      init(_ clock: LazyInjected<Clock>) { _clock = clock }
    }
    let shop = Resolver(named: "shop")
    let built = Atomic()
    shop.register(Press.init)
    shop.register { () -> Clock in
      built.increment()
      return Clock()
    }
    let press: Press = shop.resolve()
    #expect(built.value == 0)
    _ = press.clock
    #expect(built.value == 1)
  }

  @Test func `Aliases that stand for each other are reported when they are asked, too`() {
    class Printer {}
    final class LaserPrinter: Printer {}
    let shop = Resolver(named: "shop")
    let printer = shop.register { Printer() }
    let laser = shop.register { LaserPrinter() }
    printer.implements(LaserPrinter.self)
    laser.implements(Printer.self)
    let error = #expect(throws: ResolutionError.self) { try shop.require(Printer.self) }
    #expect(error?.reason == .cycle)
    #expect(error?.chain.map(\.description) == ["LaserPrinter", "Printer", "LaserPrinter"])
  }

  @Test func `A recording shows what closures ask for`() {
    let shop = Resolver(named: "shop")
    shop.register { r -> Checkout in
      _ = r.resolve(Clock.self) as Clock
      return Checkout()
    }.scope(.application)
    shop.register { Clock() }
    let recorder = ResolutionRecorder()
    withRecorder(recorder) { _ = shop.resolve(Checkout.self) as Checkout }
    #expect(
      shop.graph(observedBy: recorder).description == """
        Checkout  — application, shop
          Clock  — graph, shop
        """)
  }

  @Test func `What a decoration wraps is in the graph, with what that needs`() {
    let shop = Resolver(named: "shop")
    shop.register { (_: Clock) in Checkout() }
    inSandbox {
      shop.decorate(ServiceKey(Checkout.self), at: CodeLocation()) { (live: Checkout) in live }
      #expect(
        shop.graph.description == """
          Checkout  — double, graph, shop, closure
            Checkout  — graph, shop
              Clock  — missing
          """)
      let error = #expect(throws: ValidationError.self) { try shop.validate() }
      #expect(error?.findings.map(\.kind) == [.missing])
      shop.register { Clock() }
      let recorder = ResolutionRecorder()
      withRecorder(recorder) { _ = shop.resolve(Checkout.self) as Checkout }
      #expect(
        shop.graph(observedBy: recorder).description == """
          Checkout  — double, graph, shop
            Checkout  — graph, shop
              Clock  — double, graph, shop
          """)
    }
  }

  @Test func `The work is in proportion to the edges`() {
    // Numbered names in a chain with a branch at each link: two edges a node.
    func steps(_ count: Int) -> Int {
      let shop = Resolver(named: "shop")
      for number in 0..<count {
        let dependencies = (1...2).compactMap { step in
          number + step < count
            ? Dependency(ServiceKey(Int.self, name: .init("\(number + step)"))) : nil
        }
        let options: ResolverOptions<Int> = shop.store(
          Maker.plain { number }, name: .init("\(number)"), CodeLocation(),
          dependencies: dependencies)
        options.scope(number.isMultiple(of: 3) ? .application : .graph)
      }
      let graph = shop.graph
      let validator = Validator(graph, container: shop, nil)
      validator.run(roots: [Int.self], isAfterDryRun: false)
      #expect(validator.findings.isEmpty)
      #expect(graph.keys.map { graph.dependencies(of: $0).count }.reduce(0, +) == 2 * count - 3)
      return validator.steps
    }
    // The largest takes a second in release builds, and many of them otherwise.
    #if DEBUG
    let sizes = [1_000, 10_000]
    #else
    let sizes = [1_000, 10_000, 100_000]
    #endif
    let perEdge = sizes.map { Double(steps($0)) / Double(2 * $0 - 3) }
    #expect(perEdge.allSatisfy { $0 <= 3 })
    #expect(perEdge.max()! - perEdge.min()! < 0.01)
  }
}
