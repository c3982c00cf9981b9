internal import DIPrimitives

/// A sandbox's overlay for one container.
///
/// A registry that links the container and the sandbox's next overlay: a list that its scope holds
/// by address, so that requests walk it without counting references.
package struct Overlay {
  let registry: Registry

  /// The container that the overlay is for.
  var core: ContainerCore { registry.container }
  /// Whether the container was reset, so that nothing of it is visible.
  var masksAll: Bool { registry.hidesBelow }
  var children: [Resolver]? { registry.children }

  func setChildren(_ children: [Resolver]) { registry.setChildren(children) }

  func reset() {
    registry.hideBelow()
    setChildren([])
    registry.removeAll()
  }

  /// The list of a scope's overlays, the latest first.
  ///
  /// Walk it inside a read section, or under the frame's lock: an overlay is released with its
  /// container.
  struct List: Sequence, IteratorProtocol {
    private var table: UnsafeMutablePointer<di_table>?

    @inline(__always)
    init(_ scope: UnsafeMutablePointer<di_scope>) {
      table = di_load(di_scope_overlays(scope))?.assumingMemoryBound(to: di_table.self)
    }

    mutating func next() -> UnsafeMutablePointer<di_table>? {
      defer {
        table = table.flatMap { di_load(di_table_next($0))?.assumingMemoryBound(to: di_table.self) }
      }
      return table
    }
  }
}
