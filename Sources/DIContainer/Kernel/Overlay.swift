/// What a sandbox puts over one container.
package final class Overlay: Sendable {
  package let registry = Registry()
  /// Held, so that no other container takes its place in memory and gets its overlay.
  let core: ContainerCore
  /// The overlay that the sandbox made before, which it holds as long as this one.
  let next: Unchecked<Unmanaged<Overlay>?>
  /// An address that lives as long as the registry.
  let reader: Unchecked<RegistrationTable.Reader>

  init(_ core: ContainerCore, next: Unmanaged<Overlay>?) {
    self.core = core
    self.next = Unchecked(next)
    reader = Unchecked(registry.reader)
  }

  @inline(__always)
  func isOver(_ core: UnsafeRawPointer) -> Bool {
    UnsafeRawPointer(Unmanaged.passUnretained(self.core).toOpaque()) == core
  }

  /// Whether the container below was reset: nothing of it shows.
  package var masksAll: Bool { registry.hidesBelow }
  package var children: [Resolver]? { registry.children }

  func setChildren(_ children: [Resolver]) { registry.setChildren(children) }

  func reset() {
    registry.hideBelow()
    setChildren([])
    registry.removeAll()
  }
}
