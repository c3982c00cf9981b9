@testable import DIContainer
import DITesting
import Testing

private struct Clock {}
private struct Calendar {}
private final class Mailer {}
private struct Postman {}

extension Container {
  fileprivate var clock: Factory<Clock> { self { Clock() } }
  fileprivate var mailer: Factory<Mailer> { self { Mailer() }.singleton }
  fileprivate var postman: Factory<Postman?> { promised() }
}

private final class Warehouse: SharedContainer {
  static let shared = Warehouse()
  let manager = ContainerManager()
  var calendar: Factory<Calendar> { self { Calendar() } }
  var desk: Factory<Desk> { self { Desk() } }
}

private final class Desk {
  @LazyInjected(\.mailer) var mailer
  @Injected(\.clock) var clock
}

private final class Checkout {
  @Injected(\.clock) var clock
  @Injected(\Warehouse.calendar) var calendar
  @LazyInjected(\.mailer) var mailer
  @WeakLazyInjected(\.mailer) var weakMailer
  @DynamicInjected(\Warehouse.desk) var desk
}

/// Services that are registered by type and ask for services that are declared as properties.
@Suite struct DeclaredServicesTests {
  private let shop = Resolver(named: "shop")

  @Test func `A dry run knows what is declared as a property, wherever it is declared`() throws {
    shop.register { Checkout() }
    let report = try shop.validate(roots: [Checkout.self], dryRun: true)
    #expect(report.findings.map(\.description) == [])
    let root = Resolver.root.core.label
    #expect(
      shop.dryRun().description == """
        Checkout  — graph, shop
          clock: Clock  — unique, \(root)
          calendar: Calendar  — unique, Warehouse
          lazy mailer: Mailer  — singleton, \(root), closure
          lazy desk: Desk  — unique, Warehouse, closure
        """)
  }

  @Test func `A dry run knows what is asked for through shared`() throws {
    shop.register { () -> Postman in
      _ = Container.shared.clock()
      _ = Warehouse.shared.calendar()
      return Postman()
    }
    let report = try shop.validate(dryRun: true)
    #expect(report.findings.map(\.description) == [])
    #expect(report.unseen == [])
  }

  @Test func `What a property's closure asks for is seen with it`() throws {
    shop.register { Warehouse.shared.desk() }
    shop.register { (_: Desk) in Postman() }
    let root = Resolver.root.core.label
    #expect(
      shop.dryRun().description == """
        Postman  — graph, shop
          Desk  — graph, shop
            desk: Desk  — unique, Warehouse
              clock: Clock  — unique, \(root)
              lazy mailer: Mailer  — singleton, \(root), closure
            lazy mailer: Mailer  — singleton, \(root), closure
        """)
    #expect(try shop.validate(dryRun: true).findings.isEmpty)
  }

  @Test func `A recording knows what is declared as a property`() throws {
    shop.register { Checkout() }
    let recorder = ResolutionRecorder()
    withRecorder(recorder) { _ = shop.resolve(Checkout.self) }
    let report = try shop.validate(roots: [Checkout.self], observedBy: [recorder])
    #expect(report.findings.map(\.description) == [])
    #expect(report.unseen == [])
  }

  @Test func `A double for a property is as good as the service, in a dry run and a recording`()
    throws
  {
    shop.register { Checkout() }
    try inSandbox {
      Warehouse.shared.calendar.register { Calendar() }
      Container.shared.mailer.register { Mailer() }
      let dry = try shop.validate(dryRun: true)
      #expect(dry.findings.map(\.description) == [])
      let recorder = ResolutionRecorder()
      withRecorder(recorder) { _ = shop.resolve(Checkout.self) }
      let report = try shop.validate(observedBy: [recorder])
      #expect(report.findings.map(\.description) == [])
    }
  }

  @Test func `A service that another container answers by type is not missing`() throws {
    let other = Resolver(named: "other")
    other.register { Mailer() }.scope(.application)
    shop.register { () -> Desk in
      _ = other.resolve(Mailer.self)
      return Desk()
    }
    let report = try shop.validate(dryRun: true)
    #expect(report.findings.map(\.description) == [])
    #expect(shop.dryRun().description.contains("— application, other"))
  }

  @Test func `What only a double answered while it was recorded is missing without it`() throws {
    shop.register { () -> Desk in
      _ = Resolver.resolve(Postman.self) as Postman
      return Desk()
    }
    let recorder = ResolutionRecorder()
    inSandbox {
      Resolver.register { Postman() }
      withRecorder(recorder) { _ = shop.resolve(Desk.self) }
    }
    let error = #expect(throws: ValidationError.self) { try shop.validate(observedBy: [recorder]) }
    #expect(error?.findings.map(\.kind) == [.missing])
  }

  @Test func `What a kept instance holds from a property may be forgotten before it`() throws {
    shop.register { () -> Desk in
      _ = Warehouse.shared.visit()
      return Desk()
    }.scope(.application)
    let report = try shop.validate(dryRun: true)
    let root = #line - 4
    #expect(
      report.warnings.map(\.description) == [
        """
        `Desk` keeps a `visit: Visit` that visit.reset() releases.

          chain:  Desk → visit: Visit
          kept:   application (DIContainerTests/DeclaredServicesTests.swift:\(root - 1))
          holds:  `visit: Visit`, visit (DIContainerTests/DeclaredServicesTests.swift:\(visitLine))

        To fix this:
          - Resolve it when it is needed: with `@LazyInjected`, or in the method.
          - Or keep both in one scope.
        """
      ])
  }

  @Test func `A promised property that nobody registered is missing where it is asked for lazily`()
    throws
  {
    final class Office { @LazyInjected(\.postman) var postman: Postman? }
    shop.register { Office() }
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    #expect(error?.findings.map(\.kind) == [.missing])
    #expect(error?.findings.first?.key?.description == "postman: Postman?")
  }
}

private final class Visit {}
extension Scope {
  fileprivate static let visit = Scope.cache("visit")
}
private let visitLine = #line + 2
extension Warehouse {
  var visit: Factory<Visit> { self { Visit() }.scope(.visit) }
}
