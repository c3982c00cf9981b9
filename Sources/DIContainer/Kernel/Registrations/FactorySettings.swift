/// A closure that receives an instance, and whether it was just made.
typealias InstanceObserver = (_ instance: Instance, _ isNew: Bool) -> Void

/// The settings that a declaration makes besides its factory and a well-known scope.
struct FactorySettings {
  /// The name of the property, if the key is another.
  var function: StaticString?
  var takesParameter = false
  /// Whether it was promised: another module is to register it.
  var isPromise = false
  /// The scope, if it is user-defined.
  var scope: Scope?
  /// The boundary that the service is behind, if any.
  var boundary: String?
  var contexts: [ContextFactory] = []
  var decorator: InstanceObserver?
  var timeToLive: Double?
  /// Returns the value by which a parameter's instance is kept.
  var keepBy: ((_ parameter: Any) -> AnyHashable)?

  /// Whether nothing of it matters to a request but the scope.
  var isOnlyScope: Bool {
    !isPromise && contexts.isEmpty && decorator == nil && timeToLive == nil && keepBy == nil
  }
}

/// A box around settings, whose copies count one reference.
@usableFromInline
final class SettingsBox: @unchecked Sendable {
  // Sendable: it never changes, and the closures in it are the user's.
  let value: FactorySettings
  // Stored, since the short path reads it.
  let isOnlyScope: Bool

  init(_ value: FactorySettings) {
    self.value = value
    isOnlyScope = value.isOnlyScope
  }

  @usableFromInline
  init(function: StaticString?, takesParameter: Bool) {
    value = FactorySettings(function: function, takesParameter: takesParameter)
    isOnlyScope = true
  }
}

/// The factory that a property has in a kind of context.
struct ContextFactory {
  let type: FactoryContextType
  let maker: Maker
  /// The number of the change that set it, in the numbering of registrations, and whether a test
  /// made that; of a declaration's, zero and false.
  var number: UInt64 = 0
  var isDouble = false
}

extension [ContextFactory] {
  /// Sets the factory for kinds of contexts, in place of those set before.
  mutating func set(
    _ types: [FactoryContextType], _ maker: Maker, number: UInt64 = 0, isDouble: Bool = false
  ) {
    removeAll { types.contains($0.type) }
    self += types.map { Element(type: $0, maker: maker, number: number, isDouble: isDouble) }
  }

  /// Returns these factories, with those further out for other kinds of contexts.
  func over(_ outer: Self) -> Self {
    outer.filter { other in !contains { $0.type == other.type } } + self
  }

  /// Returns the one that takes precedence among those whose context applies.
  func applying(_ current: @autoclosure () -> FactoryContext) -> Element? {
    if isEmpty { return nil }
    let current = current()
    var best: (rank: Int, context: Element)?
    for context in self {
      guard let rank = current.rank(of: context.type), rank <= best?.rank ?? rank else { continue }
      best = (rank, context)
    }
    return best?.context
  }
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
