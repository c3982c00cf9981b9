@testable import DITesting
import Testing

// What a sandbox says of a double that the code under test asks for under another key.

private protocol Shelves: AnyObject {}
private final class LiveStock: Shelves {}
private final class MemoryStock: Shelves {}

private protocol Tills: AnyObject {}
private final class LiveTills: Tills {}

private protocol Ledger: AnyObject, Sendable {}
private final class LiveLedger: Ledger {}
private final class MemoryLedger: Ledger {}

extension Container {
  fileprivate var stock: Factory<any Shelves> { self { LiveStock() } }
  fileprivate var till: Factory<any Tills> { self { LiveTills() } }
  fileprivate var ledger: AsyncFactory<any Ledger> { self { await openLedger() } }
}

private func openLedger() async -> any Ledger { LiveLedger() }

private let stockRoom = Resolver { r in
  r.register { LiveStock() as any Shelves }
  r.register { LiveTills() as any Tills }
}

private let mayBeUnused = """
    - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
  `unusedDoubles: .off` for the sandbox.
  """

private let lostProperty = Resolver { r in
  r.register { LiveStock() as Any }
  r.register { LiveStock() as AnyObject }
  r.register { LiveLedger() as any Sendable }
}

@Suite("A double that was never resolved")
struct NearMissFindingTests {
  @Test("and is registered by its own type names the protocol that was resolved live")
  func ownType() {
    let line: UInt = #line + 3
    let issues = findings {
      Resolver.root = stockRoom
      stockRoom.register { MemoryStock() }
      #expect(stockRoom.resolve((any Shelves).self) is LiveStock)
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `MemoryStock` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line)
          close:       `any Shelves` was resolved live \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that, register it so: `register { … as any Shelves }`.
          - Remove it, or check that the code under test resolves `MemoryStock`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("says nothing of a protocol that another double stands in for")
  func protocolWithDouble() {
    let issues = findings {
      Resolver.root = stockRoom
      stockRoom.register { MemoryStock() }
      stockRoom.register { MemoryStock() as any Shelves }
      #expect(stockRoom.resolve((any Shelves).self) is MemoryStock)
    }
    #expect(issues.map { $0.text.contains("close:") } == [false])
  }

  @Test("says nothing of live requests for types that everything is of")
  func topTypes() {
    let issues = findings {
      stockRoom.register { MemoryLedger() }
      _ = lostProperty.resolve(Any.self)
      _ = lostProperty.resolve(AnyObject.self)
      _ = lostProperty.resolve((any Sendable).self)
    }
    #expect(issues.map { $0.text.contains("close:") } == [false])
  }

  @Test("and is registered by type names the property that was resolved live")
  func byType() {
    let line: UInt = #line + 4
    let issues = findings {
      let shop = Resolver()
      Resolver.root = shop
      shop.register { MemoryStock() as any Shelves }
      #expect(Container.main.stock() is LiveStock)
      withExtendedLifetime(shop) {}
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `any Shelves` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line)
          close:       the property `\\Container.stock` was resolved live \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that, register it so: `Container.shared.stock.register { … }` in the \
        sandbox, or `mock.double(\\Container.stock) { … }`.
          - Remove it, or check that the code under test resolves `any Shelves`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("and is registered by type names the property that was resolved live in a scope inside")
  func byTypeInside() {
    let line: UInt = #line + 7
    let issues = findings {
      let shop = Resolver()
      Resolver.root = shop
      shop.register { MemoryStock() as any Shelves }
      withLayer { _ in
      } operation: {
        #expect(Container.main.stock() is LiveStock)
      }
      withExtendedLifetime(shop) {}
    }
    let close = """
        close:       the property `\\Container.stock` was resolved live \
      (DITestingTests/NearMissFindingTests.swift:\(line))
      """
    #expect(issues.map { $0.text.contains(close) } == [true])
  }

  @Test("and is registered by type names the async property that was resolved live")
  func byTypeLater() async throws {
    let line: UInt = #line + 4
    let issues = try await findingsLater {
      let shop = Resolver()
      Resolver.root = shop
      shop.register { MemoryLedger() as any Ledger }
      let ledger = try await Container.main.ledger()
      #expect(ledger is LiveLedger)
      withExtendedLifetime(shop) {}
    }
    let close = """
        close:       the property `\\Container.ledger` was resolved live \
      (DITestingTests/NearMissFindingTests.swift:\(line + 1))
      """
    #expect(issues.map { $0.text.contains(close) } == [true])
  }

  @Test("says which container it is in, if another one's service was resolved live")
  func otherContainer() {
    let line: UInt = #line + 4
    let issues = findings {
      let shop = Resolver()
      Resolver.root = stockRoom
      shop.register { MemoryStock() as any Shelves }
      #expect(Resolver.resolve((any Shelves).self) is LiveStock)
      withExtendedLifetime(shop) {}
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `any Shelves` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line), in container made at \
        DITestingTests/NearMissFindingTests.swift:\(line - 2)
          close:       `any Shelves` was resolved live \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that request, register it in the container that serves it.
          - Remove it, or check that the code under test resolves `any Shelves`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("of a property names the service that was resolved live by type")
  func property() {
    let line: UInt = #line + 3
    let issues = findings {
      Resolver.root = stockRoom
      Container.main.till.register { LiveTills() }
      #expect(stockRoom.resolve((any Tills).self) is LiveTills)
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `till: any Tills` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line), in \
        \(Container.main.core.label)
          close:       `any Tills` was resolved live \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that, register it so: `register { … as any Tills }`.
          - Remove it, or check that the code under test resolves `till: any Tills`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("of a property names another container's property of its type that was resolved live")
  func propertyOfOther() {
    let line: UInt = #line + 3
    let issues = findings {
      Resolver.root = stockRoom
      Annex.shared.till.register { LiveTills() }
      _ = Container.main.till()
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `till: any Tills` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line), in \
        \(Annex.shared.manager.core.label)
          close:       the property `\\Container.till` was resolved live \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that, register it so: `Container.shared.till.register { … }` in the sandbox, \
        or `mock.double(\\Container.till) { … }`.
          - Remove it, or check that the code under test resolves `till: any Tills`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("by type names the property of its type whose double was resolved, and the other way round")
  func besideProperty() {
    for isByType in [true, false] {
      let line: UInt = #line + 3
      let issues = findings {
        Resolver.root = stockRoom
        stockRoom.register { MemoryStock() as any Shelves }
        Container.main.stock.register { MemoryStock() }
        if isByType { _ = Container.main.stock() } else { _ = Resolver.resolve((any Shelves).self) }
      }
      let file = "DITestingTests/NearMissFindingTests.swift"
      let unused =
        isByType
        ? ("any Shelves", line, "", "the property `\\Container.stock`", line + 1)
        : (
          "stock: any Shelves", line + 1, ", in \(Container.main.core.label)", "`any Shelves`", line
        )
      #expect(
        issues.map(\.text) == [
          """
          The double for `\(unused.0)` was never resolved.

            registered:  \(file):\(unused.1)\(unused.2)
            close:       \(unused.3) has another double, which was resolved (\(file):\(unused.4))

          To fix this:
            - Remove it, or check that the code under test resolves `\(unused.0)`.
          \(mayBeUnused)
          """
        ])
    }
  }

  @Test("and came too late under another name says so")
  func lateName() {
    let line: UInt = #line + 3
    let issues = findings {
      Resolver.root = stockRoom
      _ = stockRoom.resolve((any Shelves).self)
      stockRoom.register(name: "annex") { MemoryStock() as any Shelves }
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `any Shelves "annex"` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line + 1)
          close:       `any Shelves` was resolved live, before this was registered \
        (DITestingTests/NearMissFindingTests.swift:\(line))

        To fix this:
          - If it is for that, register it so, and before it: `register { … as any Shelves }`.
          - Remove it, or check that the code under test resolves `any Shelves "annex"`.
        \(mayBeUnused)
        """
      ])
  }

  @Test("names the request that failed, because nothing is registered for that")
  func failedRequest() {
    let line: UInt = #line + 4
    let issues = findings {
      let shop = Resolver()
      Resolver.root = shop
      shop.register(name: "annex") { MemoryStock() as any Shelves }
      _ = try? shop.require((any Shelves).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `any Shelves "annex"` was never resolved.

          registered:  DITestingTests/NearMissFindingTests.swift:\(line)
          close:       `any Shelves` was requested, and is not registered \
        (DITestingTests/NearMissFindingTests.swift:\(line + 1))

        To fix this:
          - If it is for that, register it so: `register { … as any Shelves }`.
          - Remove it, or check that the code under test resolves `any Shelves "annex"`.
        \(mayBeUnused)
        """
      ])
  }
}

private final class Annex: SharedContainer {
  static let shared = Annex()
  let manager = ContainerManager()
  var till: Factory<any Tills> { self { LiveTills() } }
}
