@testable import DITesting
import Testing

// What a strict test says of its own doubles that come close to a live service.

extension Container {
  fileprivate var till: Factory<any Payments> { self { LivePayments() } }
  fileprivate var drawer: Factory<any Payments> { self { LivePayments() } }
}

@Suite("A live service in a strict test names the double that comes close")
struct StrictNearMissTests {
  private static let file = "DITestingTests/StrictNearMissTests.swift"

  private func strict(_ body: () -> Void) -> [DiagnosticIssue] {
    findings(policy: .strict(.fail, []), body)
  }

  @Test("by another name, as the only report")
  func name() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let line: UInt = #line + 2
    let issues = strict {
      shop.register(name: "card") { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):\(line - 3), in \(shop.core.label)
          close:       `any Payments "card"` is registered (\(Self.file):\(line))

        To fix this:
          - If it is for that, register it so: `register { … as any Payments }` in the sandbox or a \
        layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("for a property by type, and for another property")
  func property() {
    let line: UInt = #line + 2
    let issues = strict {
      Resolver.register { FakePayments() as any Payments }
      Container.shared.drawer.register { FakePayments() }
      _ = Container.shared.till()
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `till: any Payments`.

          requested:   \(Self.file):\(line + 2)
          registered:  \(Self.file):7, in main
          close:       `any Payments` is registered (\(Self.file):\(line))
          close:       the property `\\Container.drawer` is registered (\(Self.file):\(line + 1))

        To fix this:
          - If it is for that, register it so: `Container.shared.till.register { … }` in the \
        sandbox, or `mock.double(\\Container.till) { … }` in a layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("that `double(…)` registered by type, with `double(…)` for the property")
  func doubleForProperty() {
    let line: UInt = #line + 2
    let issues = strict {
      double(FakePayments() as any Payments, as: (any Payments).self)
      _ = Container.shared.till()
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `till: any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):7, in main
          close:       `any Payments` is registered (\(Self.file):\(line))

        To fix this:
          - If it is for that, register it so: `double(…, for: \\Container.till)`.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("in another container")
  func container() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let mine = Resolver()
    let line: UInt = #line + 2
    let issues = strict {
      mine.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):\(line - 4), in \(shop.core.label)
          close:       `any Payments` is registered (\(Self.file):\(line)), in \(mine.core.label)

        To fix this:
          - If it is for that request, register it in the container that serves it.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("that a scope had which is not open, even if resolved", arguments: [false, true])
  func scopeEnded(isUsed: Bool) {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let line: UInt = #line + 4
    let issues = strict {
      Resolver.root = shop
      withLayer { layer in
        layer.register { FakePayments() as any Payments }
      } operation: {
        if isUsed { _ = Resolver.resolve((any Payments).self) }
      }
      _ = shop.resolve((any Payments).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   \(Self.file):\(line + 4)
          registered:  \(Self.file):\(line - 5), in \(shop.core.label)
          close:       `any Payments` was registered (\(Self.file):\(line)), in a layer or sandbox \
        that is not open here

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("that a sandbox inside had", arguments: [false, true])
  func sandboxInside(isUsed: Bool) {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let issues = strict {
      withSandbox {
        shop.register { FakePayments() as any Payments }
        _ = shop.resolve((any Payments).self)
      }
      _ = shop.resolve((any Payments).self)
    }
    let close = "in a layer or sandbox that is not open here"
    #expect(issues.map { $0.text.contains(close) } == [true])
  }

  @Test("that a container had which is gone, with code for the one that serves the request")
  func containerGone() {
    let line: UInt = #line + 2
    let issues = strict {
      Container().till.register { FakePayments() }
      _ = Container.shared.till()
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `till: any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):7, in main
          close:       the property `\\Container.till` was registered (\(Self.file):\(line)), in \
        container made at \(Self.file):\(line), which is gone

        To fix this:
          - If it is for that request, register it in the container that serves it: \
        `Container.shared.till.register { … }` in the sandbox, or \
        `mock.double(\\Container.till) { … }`.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("by another name, or for another property, that `double` registered")
  func byDouble() {
    let shop = Resolver { $0.register { LiveGateway() as any Gateway } }
    Resolver.production { shop.register(name: "card") { LiveGateway() as any Gateway } }
    let fixes = strict {
      Resolver.root = shop
      double(GatewayDouble())
      _ = shop.resolve((any Gateway).self, name: "card")
      double(FakePayments(), for: \.drawer)
      _ = Container.shared.till()
    }.map { $0.text.split(separator: "\n").first { $0.contains("register it so") } }
    #expect(
      fixes == [
        "  - If it is for that, register it so: `double(…, name: \"card\")`.",
        "  - If it is for that, register it so: `double(…, for: \\Container.till)`.",
      ])
  }

  @Test("by its own type, which is the only report")
  func ownType() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let line: UInt = #line + 2
    let issues = strict {
      shop.register { FakePayments() }
      _ = shop.resolve((any Payments).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):\(line - 3), in \(shop.core.label)
          close:       `FakePayments` is registered (\(Self.file):\(line))

        To fix this:
          - If it is for that, register it so: `register { … as any Payments }` in the sandbox or a \
        layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("but none that was resolved under its own key, or that is no double of its type")
  func others() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let issues = strict {
      shop.register(name: "card") { FakePayments() as any Payments }
      shop.register { Basket() }
      _ = (shop.resolve(Basket.self), shop.resolve((any Payments).self, name: "card"))
      _ = shop.resolve((any Payments).self)
    }
    #expect(issues.map { $0.text.contains("close:") } == [false])
  }
}

@Suite("The stubs of a double that `register` registered")
struct RegisteredStubTests {
  @Test("are not reported as never called where nothing resolved it")
  func unused() {
    let issues = findings {
      let gateway = GatewayDouble()
      gateway.charge.returns("ref")
      Resolver.register { gateway as any Gateway }
    }
    #expect(issues.map(\.headline) == ["The double for `any Gateway` was never resolved."])
  }

  @Test("are not reported as never called where a live service is, from another container")
  func live() {
    let shop = Resolver { $0.register { LiveGateway() as any Gateway } }
    let issues = findings(policy: .strict(.fail, [])) {
      let mine = Resolver()
      let gateway = GatewayDouble()
      gateway.charge.returns("ref")
      mine.register { gateway as any Gateway }
      _ = shop.resolve((any Gateway).self)
    }
    #expect(issues.map(\.headline) == ["A live service was resolved: `any Gateway`."])
  }

  @Test("are reported where it was resolved, without that it may not be registered")
  func resolved() {
    let told = findings {
      let gateway = GatewayDouble()
      gateway.charge.returns("ref")
      Resolver.register { gateway as any Gateway }
      _ = Resolver.resolve((any Gateway).self)
    }
    #expect(told.map(\.headline) == ["`Gateway.charge(_:for:)` was stubbed and never called."])
    #expect(told.map { $0.text.contains("this one:") } == [false])
  }

  @Test("are not reported where there is no such double, which is")
  func missing() {
    let issues = findings {
      withKnownIssue {
        double(GatewayDouble.self).charge.returns("ref")
      } matching: {
        $0.comments.first?.rawValue.hasPrefix("There is no `GatewayDouble` here") ?? false
      }
    }
    #expect(issues == [])
  }
}
