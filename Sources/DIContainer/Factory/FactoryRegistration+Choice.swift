// The precedence among the sources of a property's instance: a double over contexts, contexts over
// production registrations, those over the declaration. A test's last change comes first.

extension FactoryRegistration {
  /// The source that serves a request.
  struct Choice {
    let make: (P) throws -> T
    /// The registration that represents the source: its identity, its scope, its slot.
    let holder: Registration
    let owner: ContainerCore
    var isDouble = false
    var isDeclaration = false
    var decorator: ((T, Bool) -> Void)?
    var timeToLive: Double?

    var found: Found { Found(registration: holder, owner: owner, isDouble: isDouble) }
  }

  /// Returns the source that serves a request.
  ///
  /// - Parameters:
  ///   - declaredMake: The declaration's closure.
  ///   - frame: The context.
  ///   - wrap: Makes the decorated instance for a parameter from the source below the decoration.
  /// - Returns: The source.
  func choose(
    _ declaredMake: @escaping (P) throws -> T, _ frame: ContextFrame?,
    wrap: @escaping (Choice, P, FactoryDecoration<T>) throws -> T
  ) -> Choice {
    choose(declaredMake, frame, at: depth(frame), wrap)
      ?? choose(declaredMake, frame, wrap: wrap)
  }

  /// Returns the source at a position of the search; nil if something was registered meanwhile.
  private func choose(
    _ declaredMake: @escaping (P) throws -> T, _ frame: ContextFrame?, at depth: Depth,
    _ wrap: @escaping (Choice, P, FactoryDecoration<T>) throws -> T
  ) -> Choice? {
    let outside = settings(frame)
    let declared = declared
    let found = depth.found
    let registered = found?.registration
    let record = registered.map(record)
    let scope = scope(outside, frame)
    guard
      let holder = registered ?? standIn(scope, frame)
        ?? (depth.decoration == nil ? nil : ownDecoration(frame) ?? depth.decoration)
        .map({ standIn(scope, below: $0) })
    else { return nil }
    var choice: Choice
    let outsideContext = outside.context(FactoryContext.current)
    let context =
      outsideContext
      ?? (outside.hidesDeclaredContexts ? nil : declared.context(FactoryContext.current))
    let isLater = outsideContext != nil && outside.contextNumber > holder.id
    let isLaterDouble = isLater && outside.contextsAreDoubles
    let isHidden = found?.isDouble == true ? isLaterDouble : isLater
    if let found, case .decoration(let decoration) = record?.content, !isHidden {
      // The decoration wraps contexts, too.
      guard
        let below = choose(declaredMake, frame, at: below(decoration, depth, frame), wrap)
      else { return nil }
      choice = Choice(
        make: { try wrap(below, $0, decoration) },
        holder: decoration.wrappings.registration(
          for: holder, over: below.holder, asked: core, frame),
        owner: found.owner)
      choice.isDouble = found.isDouble
    } else if let context, found?.isDouble != true || isLaterDouble {
      choice = Choice(make: context.make, holder: holder, owner: found?.owner ?? core)
      choice.isDouble = outsideContext != nil && outside.contextsAreDoubles
    } else if let found, case .closure(let make, _) = record?.content {
      choice = Choice(make: make, holder: holder, owner: found.owner)
      choice.isDouble = found.isDouble
    } else {
      choice = Choice(make: declaredMake, holder: holder, owner: core)
      choice.isDeclaration = true
    }
    choice.decorator =
      record?.settings.decorator
      ?? (outside.decoratorIsOfRegistration ? nil : outside.decorator) ?? declared.decorator
    // A setting made after decorating applies to the wrapped instance as well.
    let own = depth.decoration == nil ? record?.settings.timeToLive : nil
    choice.timeToLive = own ?? outside.timeToLive ?? declared.timeToLive
    return choice
  }
}
