internal import DIPrimitives

// How long a resolved instance is kept, and by whom. A scope itself keeps nothing but the list of
// once-states that hold an instance for it, so that `reset()` can reach them; the instances live
// with their registrations (Slot.swift), or, while a sandbox, a layer or a scoped root is
// in force, with that (ContextFrame.swift).

/// How long a resolved instance is kept, and by whom.
///
/// `Resolver.defaultScope` applies where a registration names none. A scope of your own is a cache
/// that you can reset:
///
/// ```swift
/// extension Scope { static let session = Scope.cache() }
///
/// Resolver.register { Cart() }.scope(.session)
/// Scope.session.reset()
/// ```
public class Scope: @unchecked Sendable, CustomStringConvertible {
  // Sendable: both fields are immutable and `keepers` is a lock. The only subclass is in this file,
  // and adds nothing that changes; the class is not open.

  package enum Kind: UInt8 {
    /// A new instance for every request.
    case unique
    /// One instance per resolution cycle.
    case graph
    /// One instance per registration, kept strongly.
    case kept
    /// One instance per registration, kept while somebody else holds it.
    case weak
    /// One instance per registration and container asked.
    case containerAsked
    /// One instance per registration, built by the container that owns it.
    case owner, ownerWeak
    /// One instance per registration site.
    case site, siteWeak
  }

  let kind: Kind
  /// The scope's name in diagnostics and recordings.
  public let description: String
  // Not `weak`: a slot that has weak references pays for it in every retain, and for a record of
  // them. A slot takes itself out when it goes.
  private let keepers = Lock<Set<UnsafeRawPointer>>([])

  init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }

  /// Forgets every instance that is kept for this scope, in all containers.
  ///
  /// Inside a sandbox, a layer or a scoped root only what that keeps is forgotten. An instance that
  /// is being built at this moment is handed to all who wait for it, but not kept. Requests made
  /// after the reset get new instances, also those of a factory that was running already.
  public func reset() {
    if let frame = ContextFrame.current?.cacheFrame(for: self) {
      frame.forget { $0 === self }
    } else {
      forgetKept()
    }
  }

  func forgetKept() {
    let slots = keepers.withLock { keepers in
      defer { keepers = [] }
      // A slot that is going waits in `remove` for the lock, so its memory is there.
      return keepers.compactMap { keeper in
        di_try_retain(keeper) ? Unmanaged<Slot>.fromOpaque(keeper).takeRetainedValue() : nil
      }
    }
    for slot in slots { slot.forget() }
  }

  func add(_ slot: Slot) {
    let keeper = UnsafeRawPointer(Unmanaged.passUnretained(slot).toOpaque())
    _ = keepers.withLock { $0.insert(keeper) }
  }

  /// Called by a slot that goes.
  func remove(_ slot: Slot) {
    let keeper = UnsafeRawPointer(Unmanaged.passUnretained(slot).toOpaque())
    _ = keepers.withLock { $0.remove(keeper) }
  }
}

extension Scope {
  /// A scope that keeps instances until it, or their container, is reset.
  public final class Cached: Scope, @unchecked Sendable {
    // Sendable: adds an immutable reference to what is Sendable.

    /// Whose `cache` it is, if it is a container's.
    private let container: ContainerManager?

    /// Creates a scope of your own.
    ///
    /// - Parameter name: What diagnostics and recordings call it.
    public init(_ name: String = "custom") {
      container = nil
      super.init(kind: .kept, description: name)
    }

    /// Creates what `Resolver.cache` is: the `.container` scope of one container.
    init(of container: ContainerManager) {
      self.container = container
      super.init(kind: .containerAsked, description: "container")
    }

    public override func reset() {
      if let container { container.reset(scope: .container) } else { super.reset() }
    }
  }

  /// The scope as one to keep instances in: a container's `cache` stands for `.container`.
  package var keeping: Scope { kind == .containerAsked ? .container : self }

  /// Creates a scope of your own, which keeps instances until `reset()` or their container's end.
  ///
  /// - Parameter name: What diagnostics and recordings call it.
  /// - Returns: The scope; keep it in a static property.
  public static func cache(_ name: String = "custom") -> Scope.Cached { Cached(name) }

  /// A new instance for every request.
  public static let unique = Scope(kind: .unique, description: "unique")
  /// One instance per resolution cycle and registration; class instances only.
  public static let graph = Scope(kind: .graph, description: "graph")
  /// One instance per registration for as long as somebody holds it; class instances only.
  public static let shared = Scope(kind: .weak, description: "shared")
  /// One instance per registration, until the scope or the container is reset.
  public static let cached = Cached("cached")
  /// One instance per registration and container asked, for as long as that container lives.
  public static let container = Scope(kind: .containerAsked, description: "container")
  /// One instance per registration, until `reset()` or `Resolver.reset()`.
  public static let application = Cached("application")
  /// One instance per registration, or per container type and property, until `reset()`.
  public static let singleton = Cached("singleton")
  /// Swinject's name for `unique`.
  public static var transient: Scope { .unique }
  /// Swinject's name for `shared`.
  public static var weak: Scope { .shared }
}
