internal import DIPrimitives

/// A user-defined container that gets a `shared` instance by default.
///
/// ```swift
/// final class Warehouse: DefaultSharedContainer {
///   let manager = ContainerManager()
///   init() {}
/// }
/// ```
///
/// `shared` can be assigned. Inside a sandbox, a layer or a scoped root the assignment affects only
/// that scope. The instance made on first use is base state, wherever that happens.
public protocol DefaultSharedContainer: SharedContainer {
  /// Creates an empty container.
  init()
}

extension DefaultSharedContainer {
  /// The instance that is used where none is passed; made on first use.
  public static var shared: Self {
    get {
      if di_attention_needed() != 0, let frame = ContextFrame.current {
        for scope in frame.chain {
          if let shared = scope.extra(SharedInstances.self)?.present(Self.self) { return shared }
        }
      }
      return SharedInstances.process.shared(Self.self)
    }
    set {
      let scope = ContextFrame.isSettingUp ? nil : ContextFrame.rootFrame
      if scope == nil { SharedInstances.noteSwap(to: newValue) }
      let instances =
        scope?.extra(SharedInstances.self) { SharedInstances() } ?? SharedInstances.process
      instances.assign(newValue)
    }
  }
}

/// The shared instances of containers, by type.
private final class SharedInstances: Sendable {
  static let process = SharedInstances()
  private static let scope = Scope.cache("shared containers")

  private let keepers = Lock<[ObjectIdentifier: Keeper]>([:])

  private func keeper<C: DefaultSharedContainer>(of type: C.Type) -> Keeper {
    keepers.withLock { keepers in
      let keeper = keepers[ObjectIdentifier(type)] ?? Keeper(Self.scope, AnyObject.self)
      keepers[ObjectIdentifier(type)] = keeper
      // Keepers may be used by every thread (Keeper.swift).
      return Unchecked(keeper)
    }.value
  }

  /// Returns the current instance, if there is one.
  func present<C: DefaultSharedContainer>(_ type: C.Type) -> C? {
    keeper(of: type).instance?.classInstance as! C?
  }

  func assign<C: DefaultSharedContainer>(_ container: C) {
    keeper(of: C.self).keep(Instance(container as AnyObject))
  }

  /// Notes that a test replaces the process's instance.
  static func noteSwap<C: DefaultSharedContainer>(to container: C) {
    container.manager.core.withState { $0.isShared = true }
    Tests.findDelegate()?.note(
      .willReplaceShared("\(describe(C.self)).shared", process.present(C.self), with: container))
  }

  /// Returns the current instance, which is made once, as base state.
  func shared<C: DefaultSharedContainer>(_ type: C.Type) -> C {
    let keeper = keeper(of: type)
    do {
      let made: AnyObject? = try keeper.value(
        cycle: { _ in
          ResolutionError(
            .other("The `init()` of `\(describe(type))` uses its own `shared` instance."),
            // A property does not receive the caller's location.
            at: CodeLocation(line: 0),
            circumstances: [
              .fix(
                "Use `self` in `init()`, and pass it along to what `init()` makes: it will be "
                  + "`shared`."),
              .fix(
                "Or put it off: `AutoRegistering` has `autoRegister()` called before the first "
                  + "request."),
            ])
        }
      ) { build in
        TrapGuard.protect({ ContextFrame.settingUp { C() } }, cleanUp: { build.end() })
      }
      let shared = made as! C
      if !shared.manager.core.isShared { shared.manager.core.withState { $0.isShared = true } }
      return shared
    } catch {
      trap(error)
    }
  }
}
