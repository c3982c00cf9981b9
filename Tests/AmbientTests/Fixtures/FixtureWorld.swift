import DIContainer
import DITesting
import TestSupport

/// A database that takes long to migrate, and its copies.
final class Ledger: Sendable {
  let name: String
  init(_ name: String) { self.name = name }

  func copy() -> Ledger { Ledger("copy of \(name)") }
}

/// What happened, in order.
final class Journal: Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  func note(_ line: String) { lines.withLock { $0.append(line) } }
}

struct NoDisk: Error, Equatable {}

extension Container {
  var ledgerTemplate: Factory<Ledger> { self { Ledger("live") } }
  var ledger: Factory<Ledger> { self { Ledger("live") } }
  var remoteLedger: AsyncFactory<Ledger> { self { Ledger("live") } }
  var remoteCopy: AsyncFactory<Ledger> { self { Ledger("live") } }
  var auditor: Factory<String> { self { "live auditor" } }
}
