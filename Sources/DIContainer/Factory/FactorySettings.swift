/// The settings of a property's service, made in its declaration or elsewhere.
struct FactorySettings<P, T> {
  struct Context {
    let type: FactoryContextType
    let make: (P) throws -> T
  }

  /// The scope, if it was set outside the declaration.
  var scope: Scope?
  /// One closure for each kind of context: the last one set.
  var contexts: [Context] = []
  /// The number of the last change of contexts, in the numbering of registrations, and whether a
  /// test made it.
  var contextNumber: UInt64 = 0
  var contextsAreDoubles = false
  /// Whether the contexts of the declaration were reset (`once` declarations only).
  var hidesDeclaredContexts = false
  var decorator: ((T, Bool) -> Void)?
  /// Whether it was set together with a registration, and applies only to its instances.
  var decoratorIsOfRegistration = false
  var timeToLive: Double?

  var isEmpty: Bool {
    scope == nil && isEmptyButForScope
  }

  var isEmptyButForScope: Bool {
    contexts.isEmpty && decorator == nil && timeToLive == nil && !hidesDeclaredContexts
  }

  mutating func set(_ type: FactoryContextType, _ make: @escaping (P) throws -> T) {
    contexts.removeAll { $0.type == type }
    contexts.append(Context(type: type, make: make))
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
