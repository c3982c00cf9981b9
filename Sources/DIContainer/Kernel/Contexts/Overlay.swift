internal import DIPrimitives

/// What a sandbox puts over one container.
///
/// A registry that knows the container and the sandbox's next overlay: a list that its scope holds
/// by addresses, so that requests walk it without counting references.
package struct Overlay {
  let registry: Registry

  /// The container below.
  var core: ContainerCore { registry.container }
  /// Whether the container below was reset: nothing of it shows.
  var masksAll: Bool { registry.hidesBelow }
  var children: [Resolver]? { registry.children }

  func setChildren(_ children: [Resolver]) { registry.setChildren(children) }

  func reset() {
    registry.hideBelow()
    setChildren([])
    registry.removeAll()
  }

  /// The list of a scope's overlays, last first.
  ///
  /// To be walked inside a read section, or under the frame's lock: one goes with its container.
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
