import Testing

@testable import DIContainer

private final class Tea: Sendable {}

/// The table at `Found.keeping(requestedFrom:)`, row by row.
@Suite("Where a scope keeps its instances, and who builds them")
struct KeepingTests {
  enum Per: Sendable { case nothing, cycle, registration, containerAsked, site }
  enum Builder: Sendable { case asked, owner }

  struct Row: Sendable, CustomTestStringConvertible {
    let scope: Scope
    let per: Per
    var builder = Builder.asked

    var testDescription: String { "\(scope)" }
  }

  static let rows = [
    Row(scope: .unique, per: .nothing), Row(scope: .graph, per: .cycle),
    Row(scope: .cached, per: .registration), Row(scope: .shared, per: .registration),
    Row(scope: .application, per: .registration), Row(scope: .singleton, per: .registration),
    Row(scope: Scope.cache(), per: .registration), Row(scope: .container, per: .containerAsked),
    Row(scope: .perContainer(.strong), per: .registration, builder: .owner),
    Row(scope: .perContainer(.weak), per: .registration, builder: .owner),
    Row(scope: .perRun(.strong), per: .site), Row(scope: .perRun(.weak), per: .site),
    Row(scope: .single, per: .site),
  ]

  private func kept(_ keeping: Keeping?) throws -> (keeper: Keeper, builder: Resolver) {
    guard case .keeper(let keeper, _, let builder) = try #require(keeping) else {
      throw NothingKept()
    }
    return (keeper, builder)
  }

  private struct NothingKept: Error {}

  @Test("is a table", arguments: rows)
  func table(_ row: Row) throws {
    // One line registers in two containers, and two more ask the first.
    let owners = (0..<2).map { _ in Resolver { $0.register { Tea() }.scope(row.scope) } }
    let asking = (0..<2).map { _ in Resolver(child: owners[0]) }
    func keeping(_ asked: Resolver) -> Keeping? {
      Lookup.find(ServiceKey(Tea.self, name: nil), in: asked.core, nil)?.keeping(
        requestedFrom: asked, nil, nil)
    }
    switch (row.per, keeping(asking[0])) {
    case (.nothing, .nobody), (.cycle, .graph): return
    case (.nothing, _), (.cycle, _): Issue.record("it is kept")
    default: break
    }
    for asked in asking + owners.prefix(1) {
      let builder = row.builder == .owner ? owners[0] : asked
      #expect(try kept(keeping(asked)).builder === builder)
    }
    let keepers = try (asking + owners).map { try kept(keeping($0)).keeper }
    #expect(try keepers[0] === kept(keeping(asking[0])).keeper)
    #expect((keepers[0] === keepers[1]) == (row.per != .containerAsked))
    #expect((keepers[0] === keepers[2]) == (row.per != .containerAsked))
    #expect((keepers[2] === keepers[3]) == (row.per == .site))
  }
}
