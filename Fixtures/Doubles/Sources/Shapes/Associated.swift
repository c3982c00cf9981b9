/// Associated types.
public protocol Cache<Key, Value> {
  associatedtype Key: Hashable
  associatedtype Value
  func value(for key: Key) -> Value?
  mutating func store(_ value: Value, for key: Key)
  var keys: [Key] { get }
}

public protocol Feed: Sendable {
  associatedtype Items: Sequence where Items.Element == Int
  func items() -> Items
}

public protocol StringCache: Cache where Key == String {
  func clear()
}

public protocol Loader<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func load() async throws(Failure) -> Output
}
