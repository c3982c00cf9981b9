/// The settings of a property's service, from its declaration or from outside.
struct FactorySettings<P, T> {
  struct Context {
    let type: FactoryContextType
    let make: (P) throws -> T
  }

  /// The scope, where it was set from outside.
  var scope: Scope?
  /// One closure for each kind of context, the last one set.
  var contexts: [Context] = []
  /// When the last context was set, in the numbers of registrations; and whether a test did it.
  var contextNumber: UInt64 = 0
  var contextsAreDoubles = false
  /// Whether the contexts of the declaration were taken back (`once` declarations only).
  var hidesDeclaredContexts = false
  var decorator: ((T, Bool) -> Void)?
  /// Whether it was set together with a registration, and is for what that makes.
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

  /// The closure for the context that counts most of those that hold.
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
