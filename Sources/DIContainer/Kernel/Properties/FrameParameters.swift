internal import DIPrimitives

/// The lists of instances by parameter that one scope uses instead of those outside.
final class FrameParameters: Sendable {
  private let lists = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  var count: Int { lists.withLock { $0.count } }

  deinit { removeAll() }

  func removeAll() {
    let old = lists.withLock { lists in
      defer { lists = [:] }
      return lists
    }
    for base in old.keys { letMemoryGo(of: base) }
  }

  /// Releases the list that replaces one that is being deallocated.
  func drop(_ base: ObjectIdentifier) {
    guard let list = lists.withLock({ $0.removeValue(forKey: base) }) else { return }
    letMemoryGo(of: base)
    withExtendedLifetime(list) {}
  }

  func list<List: AnyObject & Sendable>(for base: List) -> List? {
    lists.withLock { $0[ObjectIdentifier(base)] }.map { unsafeDowncast($0, to: List.self) }
  }

  func list<List: AnyObject & Sendable>(for base: List, orMake make: () -> List) -> List {
    if let own = list(for: base) { return own }
    let made = make()
    return lists.withLock { lists in
      if let own = lists[ObjectIdentifier(base)] { return unsafeDowncast(own, to: List.self) }
      lists[ObjectIdentifier(base)] = made
      // Not the list itself, which is released with its registration: no other object must get its
      // address.
      di_hold_memory(Unmanaged.passUnretained(base).toOpaque())
      return made
    }
  }
}

extension ContextFrame {
  /// The number of services for which the frame keeps instances by parameter, or once did.
  package var parameterListCount: Int { extra(FrameParameters.self)?.count ?? 0 }

  /// Releases the instances that the frame keeps by parameter.
  func dropParameters() { extra(FrameParameters.self)?.removeAll() }
}
