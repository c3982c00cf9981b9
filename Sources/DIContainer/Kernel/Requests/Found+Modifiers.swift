extension Found {
  /// The modifiers that apply to the service of a property, besides those that the registration
  /// which serves it has taken over.
  package final class Modifiers {
    /// The factory of a context.
    let maker: Maker?
    /// The settings of the declaration.
    private let settings: FactorySettings
    private let containerDecorator: ((Any) -> Void)?

    init(
      _ settings: FactorySettings, maker: Maker?, containerDecorator: ((Any) -> Void)?
    ) {
      self.settings = settings
      self.maker = maker
      self.containerDecorator = containerDecorator
    }

    /// Returns the parameter of a request, if there is an instance for each.
    func parameter(_ args: Any?) -> AnyHashable? { args.flatMap { settings.keepBy?($0) } }

    /// Returns the keeper for the request's parameter in place of that for all; without an instance
    /// that is too old.
    func keeper(_ base: Keeper, _ args: Any?) -> Keeper {
      let keeper = parameter(args).map { base.keeper(for: $0) } ?? base
      if let timeToLive = settings.timeToLive { keeper.forgetExpired(after: timeToLive) }
      return keeper
    }

    /// Passes an instance to the decorators of the property and of the container.
    func tellDecorators(_ instance: Instance, isNew: Bool) {
      settings.decorator?(instance, isNew)
      containerDecorator?(instance.any)
    }
  }

  /// The factory of the instance, with its isolation.
  var maker: Maker { modifiers?.maker ?? declared?.maker ?? registration.maker }

  /// How it decorates what it wraps, if it does: the factory of a context does not.
  var decoration: Decoration? { maker.decoration }
}

extension Maker {
  /// Returns the maker of a property's closure without a parameter; a nil result is no instance.
  @inlinable @inline(__always)
  static func property<T>(_ make: @escaping () throws -> T, isOptional: Bool) -> Maker {
    Maker { _, _ in
      let service = try make()
      return isOptional && isNil(service) ? nil : Instance(service)
    }
  }

  /// Creates the maker of a property's closure, which takes its parameter.
  ///
  /// Without a parameter there is no instance; and a nil result is none.
  init<Parameter, T>(_ make: @escaping (Parameter) throws -> T, isOptional: Bool) {
    self.init { _, args in
      if Parameter.self != Void.self, args == nil { return nil }
      let service = try make(args.map { $0 as! Parameter } ?? () as! Parameter)
      return isOptional && isNil(service) ? nil : Instance(service)
    }
  }
}

@usableFromInline
func isNil<Service>(_ service: Service) -> Bool {
  (service as? any OptionalType).map { $0.content == nil } ?? false
}
