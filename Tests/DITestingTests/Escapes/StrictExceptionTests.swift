@testable import DITesting
import TestSupport
import Testing

@Suite("A strict test, with exceptions,", .sandbox)
struct StrictExceptionTests {
  // Other tests' detached work is none of these.
  init() { _ = threadsAreOurs }

  @Test("may except a type", .strict(except: (any Payments).self))
  func exceptType() {
    #expect(strictShop.resolve((any Payments).self, name: "card").label == "live")
  }

  @Test("may except a name", .strict(except: .name("card")))
  func exceptName() {
    #expect(strictShop.resolve((any Payments).self, name: "card").label == "live")
  }

  @Test("may except a property", .strict(except: .property(\.strictClock)))
  func exceptProperty() {
    #expect(Container.shared.strictClock() === Container.shared.strictClock())
  }

  @Test(
    "may except a property of another container", .strict(except: .property(\StrictYard.clock)))
  func exceptPropertyOfDepot() {
    #expect(StrictYard.shared.clock() === StrictYard().clock())
    withKnownIssue {
      _ = Container.shared.strictClock()
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("A live service was resolved: `strictClock:") ?? false
    }
  }

  @Test("may except a container", .strict(except: .container(strictWarehouse)))
  func exceptContainer() {
    _ = strictShop.resolve(Basket.self)
  }

  @Test("may except an assembly", .strict(except: .assembly(PaymentAssembly.self)))
  func exceptAssembly() {
    #expect(assembledShop.resolve((any Payments).self).label == "live")
  }

  @Test(
    "reports what no exception covers", .strict(except: .name("card"), .container(strictWarehouse)))
  func notExcepted() {
    withKnownIssue {
      _ = strictShop.resolve((any Payments).self)
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("A live service was resolved: `any Payments`.") ?? false
    }
  }
}

@Suite(
  "A strict suite",
  .sandbox, .strict(except: .name("card"), .assembly(PaymentAssembly.self)))
struct StrictSuiteTests {
  // Other tests' detached work is none of these.
  init() { _ = threadsAreOurs }

  @Test("has exceptions for all its tests")
  func suite() {
    #expect(strictShop.resolve((any Payments).self, name: "card").label == "live")
    #expect(assembledShop.resolve((any Payments).self).label == "live")
  }

  @Test("has tests that add theirs", .strict(except: .container(strictWarehouse)))
  func test() {
    #expect(strictShop.resolve((any Payments).self, name: "card").label == "live")
    _ = strictShop.resolve(Basket.self)
  }

  @Test("has tests that are less strict", .strict(.off))
  func off() {
    #expect(strictShop.resolve((any Payments).self).label == "live")
  }
}

@Suite(
  "Doubles of a strict suite", .strict,
  .sandbox { $0.register { FakePayments() as any Payments } })
struct StrictSuiteDoublesTests {
  // Other tests' detached work is none of these.
  init() { _ = threadsAreOurs }

  @Test("may go unused in a single test")
  func unused() { #expect(ResolutionRecorder.current == nil) }
}
