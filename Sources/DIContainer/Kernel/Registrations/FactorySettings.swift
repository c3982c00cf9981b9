/// A closure that receives an instance in memory, and whether it was just made.
typealias InstanceObserver = (_ instance: InstanceMemory, _ isNew: Bool) -> Void

/// The settings of a property's service, made in its declaration or elsewhere.
struct FactorySettings {
  struct Context {
    let type: FactoryContextType
    let maker: Maker
    /// The number of the change that set it, in the numbering of registrations, and whether a test
    /// made that; of a declaration's, zero and false.
    var number: UInt64 = 0
    var isDouble = false
  }

  /// The scope: of a declaration, only if it is user-defined.
  var scope: Scope?
  /// One factory for each kind of context: the last one set.
  var contexts: [Context] = []
  /// Whether the contexts of the declaration were reset (`once` declarations only).
  var hidesDeclaredContexts = false
  var decorator: InstanceObserver?
  var timeToLive: Double?
  /// Returns the value by which a parameter's instance is kept.
  var keepBy: ((_ parameter: Any) -> AnyHashable)?

  var isOnlyScope: Bool {
    contexts.isEmpty && decorator == nil && timeToLive == nil && keepBy == nil
      && !hidesDeclaredContexts
  }

  mutating func set(
    _ types: [FactoryContextType], _ maker: Maker, number: UInt64 = 0, isDouble: Bool = false
  ) {
    for type in types {
      contexts.removeAll { $0.type == type }
      contexts.append(Context(type: type, maker: maker, number: number, isDouble: isDouble))
    }
  }

  /// Returns these settings, completed by those that apply where they have none.
  func over(_ outer: FactorySettings) -> FactorySettings {
    var all = self
    all.scope = scope ?? outer.scope
    all.contexts += outer.contexts.filter { other in !contexts.contains { $0.type == other.type } }
    all.hidesDeclaredContexts = hidesDeclaredContexts || outer.hidesDeclaredContexts
    all.decorator = decorator ?? outer.decorator
    all.timeToLive = timeToLive ?? outer.timeToLive
    all.keepBy = keepBy ?? outer.keepBy
    return all
  }

  /// Returns the context that takes precedence among those that apply.
  func context(_ current: @autoclosure () -> FactoryContext) -> Context? {
    if contexts.isEmpty { return nil }
    let current = current()
    var best: (rank: Int, context: Context)?
    for context in contexts {
      guard let rank = current.rank(of: context.type), rank <= best?.rank ?? rank else { continue }
      best = (rank, context)
    }
    return best?.context
  }
}

/// A box around settings, whose copies count one reference.
@usableFromInline
final class SettingsBox: @unchecked Sendable {
  // Sendable: it never changes, and the closures in it are the user's.
  let value: FactorySettings
  /// Whether they are none, and hide those outside the sandbox.
  let isReset: Bool
  // Stored, since the short path reads it.
  let isOnlyScope: Bool

  init(_ value: FactorySettings, isReset: Bool = false) {
    self.value = value
    self.isReset = isReset
    isOnlyScope = value.isOnlyScope
  }

  static let reset = SettingsBox(FactorySettings(), isReset: true)
}

/// The scope that a declaration names.
///
/// Unlike a reference to the scope, it is copied without counting.
@frozen @usableFromInline
enum DeclaredScope: UInt8, CaseIterable {
  case unnamed, cached, graph, shared, singleton, unique
  /// A user-defined scope, which the declaration's settings hold.
  case custom

  init(_ scope: Scope?) {
    self = Self.allCases.first { $0.scope(custom: nil) === scope } ?? .custom
  }

  func scope(custom: Scope?) -> Scope? {
    switch self {
    case .unnamed: nil
    case .cached: .cached
    case .graph: .graph
    case .shared: .shared
    case .singleton: .singleton
    case .unique: .unique
    case .custom: custom
    }
  }
}
