// The settings that a container has for services declared as properties. A sandbox has settings of
// its own in place of those that are changed in it.

/// A container's settings for services declared as properties.
package final class ContainerSettings: Sendable {
  /// Not zero while a request needs more than the container's own registrations.
  let attention = Atomic(Attention.unprepared)
  let state = Lock(State())

  enum Attention {
    static let unprepared: UInt = 1
    static let decorator: UInt = 2
    static let children: UInt = 4
  }

  struct State {
    var isPrepared = false
    var hasChildren = false
    var isOfOwnClass = false
    var isShared = false
    var containerType: Any.Type?
    /// The container if it is user-defined; not held, because its manager holds this.
    weak var container: (any ManagedContainer)?
    var view = Overridable()
  }

  /// The settings; in a sandbox's view, nil for those that are as outside.
  struct Values {
    var decorator: ((Any) -> Void)??
    var defaultScope: Scope??
  }

  /// The settings that a sandbox may override.
  struct Overridable {
    var values = Values()
    /// The runs of `autoRegister`; nil before the first one is requested.
    var preparation: StartupTurn?
    var pushed: [Pushed] = []
  }

  /// The state that `push` saved.
  struct Pushed {
    let registrations: [Registration]
    let instances: SavedInstances
    let values: Values
    /// Whether `autoRegister` had yet to run.
    let isUnprepared: Bool
  }

  func update<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      attention.set(
        bits: (state.isPrepared ? 0 : Attention.unprepared)
          | ((state.view.values.decorator ?? nil) == nil ? 0 : Attention.decorator)
          | (state.hasChildren ? Attention.children : 0))
      return result
    }
  }

  var hasChildren: Bool {
    get { attention.value & Attention.children != 0 }
    set { update { $0.hasChildren = newValue } }
  }

  /// The class of the container, once it has declared something.
  package var containerType: Any.Type? { state.withLock { $0.containerType } }

  /// Whether the container is of a user-defined class.
  package var isOfOwnClass: Bool { state.withLock { $0.isOfOwnClass } }

  func noteOwnClass() { state.withLock { $0.isOfOwnClass = true } }

  /// Whether the container is known to be the `shared` one of its class.
  package var isShared: Bool { state.withLock { $0.isShared } }

  func noteShared() { state.withLock { $0.isShared = true } }
}
