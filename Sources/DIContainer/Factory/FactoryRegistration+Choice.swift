// Who wins, by key path: a double over contexts, contexts over what production registered, that
// over the declaration; what a test says last comes first.

extension FactoryRegistration {
  /// What answers a request.
  struct Choice {
    let make: (P) throws -> T
    /// Stands for what answers: its identity, its scope, where its instance is kept.
    let holder: Registration
    let owner: ContainerCore
    var isDouble = false
    var isDeclaration = false
    var decorator: ((T, Bool) -> Void)?
    var timeToLive: Double?
  }

  func choose(
    _ declaredMake: @escaping (P) throws -> T, _ frame: ContextFrame?
  ) -> Choice {
    let outside = settings(frame)
    let declared = declared
    let found = find(frame)
    let registered = found?.registration
    let record = registered.map(record)
    guard let holder = registered ?? standIn(scope(outside, frame), frame) else {
      return choose(declaredMake, frame)
    }
    var choice: Choice
    let outsideContext = outside.context(FactoryContext.current)
    let context =
      outsideContext
      ?? (outside.hidesDeclaredContexts ? nil : declared.context(FactoryContext.current))
    let isLater =
      outsideContext != nil && outside.contextsAreDoubles
      && outside.contextNumber > holder.id
    if let context, found?.isDouble != true || isLater {
      choice = Choice(make: context.make, holder: holder, owner: found?.owner ?? core)
      choice.isDouble = outsideContext != nil && outside.contextsAreDoubles
    } else if let found, let make = record?.make {
      choice = Choice(make: make, holder: holder, owner: found.owner)
      choice.isDouble = found.isDouble
    } else {
      choice = Choice(make: declaredMake, holder: holder, owner: core)
      choice.isDeclaration = true
    }
    choice.decorator =
      record?.settings.decorator
      ?? (outside.decoratorIsOfRegistration ? nil : outside.decorator) ?? declared.decorator
    choice.timeToLive = record?.settings.timeToLive ?? outside.timeToLive ?? declared.timeToLive
    return choice
  }
}
