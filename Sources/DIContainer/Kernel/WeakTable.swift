/// A weak reference that several threads may read.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak var value: Object?
}

/// Values for objects that the table does not retain; for the state behind a lock.
///
/// Values for deallocated objects are dropped when the table has doubled since the last cleanup.
struct WeakTable<Object: AnyObject, Value> {
  private struct Entry {
    weak var object: Object?
    var value: Value
  }

  /// Values that left the table, and objects retained for a moment.
  ///
  /// The caller releases them once it holds no lock, because these references may be the last.
  struct Leftovers {
    fileprivate var replaced: Value?
    fileprivate var values: [Value] = []
    fileprivate var objects: [Object] = []
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var limit = 32

  /// All values with their objects; nil for a deallocated one.
  var all: [(object: Object?, value: Value)] { entries.values.map { ($0.object, $0.value) } }

  /// The value for an object, which the caller holds.
  subscript(object: Object) -> Value? {
    // A deallocated object may have had the same address.
    entries[ObjectIdentifier(object)].flatMap { $0.object === object ? $0.value : nil }
  }

  /// Sets the value for an object, which the caller holds.
  mutating func set(_ value: Value, for object: Object) -> Leftovers {
    var left = Leftovers()
    let entry = Entry(object: object, value: value)
    left.replaced = entries.updateValue(entry, forKey: ObjectIdentifier(object))?.value
    if entries.count > limit { sortOut(&left) }
    return left
  }

  private mutating func sortOut(_ left: inout Leftovers) {
    for (id, entry) in entries {
      if let object = entry.object {
        left.objects.append(object)
      } else {
        left.values.append(entry.value)
        entries[id] = nil
      }
    }
    limit = max(32, entries.count * 2)
  }
}
