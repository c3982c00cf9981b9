/// What is known of objects that it does not hold; for the state behind a lock.
///
/// What is known of an object that is gone is dropped when the table has grown to twice what was
/// there the last time.
struct WeakTable<Object: AnyObject, Value> {
  private struct Entry {
    weak var object: Object?
    var value: Value
  }

  /// What left the table, or was held for a moment and may have lost all others who held it: for
  /// the caller to let go of once it holds no lock.
  struct Leftovers {
    fileprivate var replaced: Value?
    fileprivate var values: [Value] = []
    fileprivate var objects: [Object] = []
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var limit = 32

  /// How many there are, those of gone objects among them.
  var count: Int { entries.count }

  /// What is known of all of them.
  var values: [Value] { entries.values.map(\.value) }

  /// The same, with the objects; nil where one is gone.
  var all: [(object: Object?, value: Value)] { entries.values.map { ($0.object, $0.value) } }

  /// What is known of an object, which the caller holds.
  subscript(object: Object) -> Value? {
    // Another one may have been where this one is.
    entries[ObjectIdentifier(object)].flatMap { $0.object === object ? $0.value : nil }
  }

  /// Sets what is known of an object, which the caller holds.
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
