/// A dictionary that drops the entries of no further use, whenever it has doubled.
package struct PruningTable<Key: Hashable, Value> {
  private var entries: [Key: Value] = [:]
  private var limit = 32

  package init() {}

  var isEmpty: Bool { entries.isEmpty }
  package var all: [Value] { Array(entries.values) }

  /// Returns the entries whose keys satisfy a condition.
  func all(where isIncluded: (Key) -> Bool) -> [Value] {
    entries.compactMap { isIncluded($0.key) ? $0.value : nil }
  }

  package subscript(key: Key) -> Value? { entries[key] }

  /// Adds an entry; returns what it dropped, and what it retained meanwhile, for the caller to
  /// release under no lock.
  ///
  /// `evidence` returns an object while an entry is of use.
  package mutating func add(
    _ value: Value, for key: Key, evidence: (Value) -> AnyObject?
  ) -> (dropped: [Value], held: [AnyObject]) {
    var (dropped, held): ([Value], [AnyObject]) = ([], [])
    if entries.count >= limit {
      entries = entries.filter { _, value in
        let object = evidence(value)
        if let object { held.append(object) } else { dropped.append(value) }
        return object != nil
      }
      limit = max(32, entries.count * 2)
    }
    entries[key] = value
    return (dropped, held)
  }

  /// Removes all entries; returns them, for the caller to release under no lock.
  mutating func removeAll() -> [Value] { exchange(&self, with: PruningTable()).all }
}
