public protocol Ledger { func add(_ cents: Int) }
