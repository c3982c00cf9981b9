@testable import DIContainer
import Testing

private final class Catalog: Sendable {}

@Suite("A table that drops what is of no further use")
struct PruningTableTests {
  private struct Entry {
    let number: Int
    weak var catalog: Catalog?
  }

  @Test("holds what is of use, and never more than twice that")
  func prunes() {
    var table = PruningTable<Int, Entry>()
    let catalogs = (0..<20).map { _ in Catalog() }
    var dropped: [Int] = []
    for number in 0..<1_000 {
      // Every fiftieth is still of use.
      let catalog = number % 50 == 0 ? catalogs[number / 50] : Catalog()
      let left = table.add(Entry(number: number, catalog: catalog), for: number) { $0.catalog }
      dropped += left.dropped.map(\.number)
      #expect(left.held.allSatisfy { held in catalogs.contains { $0 === held } })
      let inUse = number / 50 + 1
      #expect(table.all.count <= max(32, inUse * 2))
    }
    #expect(Set(dropped).union(table.all.map(\.number)) == Set(0..<1_000))
    #expect(dropped.allSatisfy { $0 % 50 != 0 })
    #expect(withExtendedLifetime(catalogs) { table.all.contains { $0.number == 950 } })
  }
}
