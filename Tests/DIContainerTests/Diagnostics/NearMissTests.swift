import DIContainer
import DITesting
import Testing

private protocol Payments {}
private protocol Refunds {}
private protocol Loyalty {}
private struct Bank: Payments, Refunds {}
private protocol Ledger<Entry> { associatedtype Entry }
private struct Sums: Ledger { typealias Entry = Int }
private struct Till {}

extension Container {
  fileprivate var till: Factory<Till> { self { Till() } }
  fileprivate var bank: Factory<Bank> { self { Bank() } }
}

private final class Market: SharedContainer {
  static let shared = Market()
  let manager = ContainerManager()
  var bank: Factory<Bank> { self { Bank() } }
}

/// What a diagnosis says of registrations whose type comes close to the requested one.
@Suite("A near miss")
struct NearMissTests {
  private let shop = Resolver()
  private let here = "DIContainerTests/NearMissTests.swift"

  /// The close registrations and the advice about them, in the text about a missing service.
  private func close<Service>(to type: Service.Type) -> [String] {
    do throws(ResolutionError) {
      _ = try shop.require(type)
      return ["resolved"]
    } catch {
      return error.description.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        .filter { $0.hasPrefix("close:") || $0.hasPrefix("- If you meant") }.map { String($0) }
    }
  }

  @Test("is the whole text's cause")
  func text() {
    let line: UInt = #line + 1
    shop.register { "EUR" as String }
    shop.register { { "EUR" } as () -> String }
    do throws(ResolutionError) {
      _ = try shop.require((@Sendable () throws -> String).self)
      Issue.record("It was resolved.")
    } catch {
      #expect(
        error.description == """
          Nothing is registered for `@Sendable () throws -> String`.

            requested:  \(here):\(line + 3)
            asked:      container made at \(here):27
            close:      `() -> String` is registered (\(here):\(line + 1))

          To fix this:
            - If you meant `() -> String`, request that.
            - Register it: `register { … as @Sendable () throws -> String }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as \
          `(@Sendable () throws -> String)?`.
          """)
    }
  }

  @Test("differs from a function in attributes and effects")
  func functions() {
    let line: UInt = #line + 1
    shop.register { { _ in "" } as @Sendable (Int) async throws -> String }
    let miss = [
      "close:      `@Sendable (Int) async throws -> String` is registered (\(here):\(line))",
      "- If you meant `@Sendable (Int) async throws -> String`, request that.",
    ]
    #expect(close(to: ((Int) -> String).self) == miss)
    #expect(close(to: (@MainActor (Int) -> String).self) == miss)
    #expect(close(to: ((Int) async -> String).self) == miss)
    #expect(close(to: ((Int) throws -> String).self) == miss)
    #expect(close(to: ((String) -> String).self) == [])
    #expect(close(to: ((Int) -> Int).self) == [])
  }

  @Test("is a part of a composition")
  func part() {
    let line: UInt = #line + 1
    shop.register { Bank() as any Payments }
    #expect(
      close(to: (any Payments & Refunds).self) == [
        "close:      `any Payments` is registered (\(here):\(line))",
        "- If you meant `any Payments`, request that.",
      ])
    #expect(close(to: (any Loyalty & Refunds).self) == [])
  }

  @Test("is a composition of which a part is requested")
  func composition() {
    let line: UInt = #line + 1
    shop.register { Bank() as any Payments & Refunds }
    #expect(
      close(to: (any Refunds).self) == [
        "close:      `any Payments & Refunds` is registered (\(here):\(line))",
        "- If you meant `any Payments & Refunds`, request that.",
      ])
    #expect(close(to: (any Loyalty).self) == [])
    #expect(close(to: (any Loyalty & Refunds).self) == [])
  }

  @Test("differs from a protocol in its associated type")
  func associatedType() {
    let line: UInt = #line + 1
    shop.register { Sums() as any Ledger<Int> }
    #expect(
      close(to: (any Ledger<String>).self) == [
        "close:      `any Ledger<Int>` is registered (\(here):\(line))",
        "- If you meant `any Ledger<Int>`, request that.",
      ])
  }

  @Test("is the element of a list, or a list of the service")
  func list() {
    let line: UInt = #line + 1
    shop.register { Bank() as any Payments }
    shop.register { [Till()] }
    #expect(
      close(to: [any Payments].self) == [
        "close:      `any Payments` is registered (\(here):\(line))",
        "- If you meant `any Payments`, request that.",
      ])
    #expect(
      close(to: Till.self) == [
        "close:      `Array<Till>` is registered (\(here):\(line + 1))",
        "- If you meant `Array<Till>`, request that.",
      ])
  }

  @Test("is a protocol that the requested type conforms to")
  func ofConformer() {
    let line: UInt = #line + 1
    shop.register { Bank() as any Payments }
    #expect(
      close(to: Bank.self) == [
        "close:      `any Payments` is registered (\(here):\(line))",
        "- If you meant `any Payments`, request that.",
      ])
    #expect(close(to: Till.self) == [])
  }

  @Test("is a property of the requested type, or of one that conforms to it")
  func property() {
    let line: UInt = #line + 1
    shop.till.register { Till() }
    shop.bank.register { Bank() }
    #expect(
      close(to: Till.self) == [
        "close:      `till: Till` is registered (\(here):\(line))",
        "- If you meant `till: Till`, request that.",
      ])
    #expect(
      close(to: (any Refunds).self) == [
        "close:      `bank: Bank` is registered (\(here):\(line + 1))",
        "- If you meant `bank: Bank`, request that.",
      ])
  }

  @Test("is registered in another container of the test, by type or as a property")
  func otherContainer() {
    withSandbox {
      let line: UInt = #line + 2
      let stand = Resolver()
      stand.register { Till() }
      Market.shared.bank.register { Bank() }
      let stands = "container made at \(here):\(line - 1)"
      #expect(
        close(to: Till.self) == [
          "close:      `Till` is registered in \(stands) (\(here):\(line))"
        ])
      let markets = Market.shared.manager.core.label
      #expect(
        close(to: Bank.self) == [
          "close:      `bank: Bank` is registered in \(markets) (\(here):\(line + 1))",
          "- If you meant `bank: Bank`, request that.",
        ])
      #expect(close(to: (any Loyalty).self) == [])
      #expect((try? stand.require(Till.self)) != nil)
      _ = Market.shared.bank()
    }
  }

  @Test("is not a function of another shape, nor another concrete type")
  func others() {
    shop.register { Till() }
    shop.register { Bank() }
    shop.register { [Int]() }
    #expect(close(to: [String].self) == [])
    #expect(close(to: (() -> Till).self) == [])
    #expect(close(to: Dictionary<String, Till>.self) == [])
  }
}
