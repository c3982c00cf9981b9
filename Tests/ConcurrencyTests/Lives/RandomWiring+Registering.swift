import DIContainer
import DITesting

extension RandomWiring {
  /// How something random is registered.
  struct Registering {
    let wiring: RandomWiring
    let good: Goods
    let line: UInt
    let resolver: Resolver
    var scope = Scope.unique
    var aliases: [Goods] = []
    var property: Need?

    init(wiring: RandomWiring, good: Goods, line: UInt, in resolver: Resolver) {
      (self.wiring, self.good, self.line, self.resolver) = (wiring, good, line, resolver)
    }

    func registerClosure(_ needs: [Need], traps: Bool) {
      func register<Known>(_ type: Known.Type) {
        finish(
          resolver.register(type, name: good.name, line: line, column: wiring.column) { r in
            let parts = try needs.map { need in
              let part: Any? = traps ? need.resolve(from: r) : try need.require(from: r)
              return part
            }
            return (wiring.made(good, parts) as! Known)
          })
      }
      register(good.type)
    }

    func registerInitialiser(_ needs: [Need]) {
      let types = needs.map(\.parameter)
      switch types.count {
      case 0: register(good.type)
      case 1: register(good.type, types[0])
      default: register(good.type, types[0], types[1])
      }
    }

    private func register<Known>(_ type: Known.Type) {
      finish(
        resolver.register(
          { () -> Known? in (wiring.made(good, []) as! Known) }, name: good.name, line: line,
          column: wiring.column))
    }
    private func register<Known, One>(_ type: Known.Type, _: One.Type) {
      finish(
        resolver.register(
          { (one: One) -> Known? in (wiring.made(good, [one]) as! Known) }, name: good.name,
          line: line, column: wiring.column))
    }
    private func register<Known, One, Other>(_ type: Known.Type, _: One.Type, _: Other.Type) {
      finish(
        resolver.register(
          { (one: One, other: Other) -> Known? in (wiring.made(good, [one, other]) as! Known) },
          name: good.name, line: line, column: wiring.column))
    }

    private func finish<Known>(_ options: ResolverOptions<Known>) {
      var options = options.scope(scope)
      if let property {
        options = options.resolveProperties { r, _ in _ = try property.require(from: r) }
      }
      for alias in aliases {
        func implement<Other>(_ type: Other.Type) {
          options = options.implements(type, name: alias.name, line: line, column: wiring.column)
        }
        implement(alias.type)
      }
    }
  }
}

extension RandomWiring.Need {
  /// The type of an initialiser's parameter.
  var parameter: Any.Type {
    func type<Known>(_ type: Known.Type) -> Any.Type {
      switch form {
      case .plain: Known.self
      case .optional: Known?.self
      case .lazy: LazyInjected<Known>.self
      case .weakLazy: WeakLazyInjected<Known>.self
      }
    }
    return type(good.type)
  }

  /// What a closure asks for.
  func require(from resolver: Resolver) throws -> Any? {
    func ask<Known>(_ type: Known.Type) throws -> Any? {
      if form == .optional { return try resolver.require(Known?.self, name: good.name) as Any? }
      return try resolver.require(type, name: good.name)
    }
    return try ask(good.type)
  }

  /// The same by a closure that traps where there is nothing.
  func resolve(from resolver: Resolver) -> Any? {
    func ask<Known>(_ type: Known.Type) -> Any? {
      if form == .optional { return resolver.optional(type, name: good.name) }
      return resolver.resolve(type, name: good.name) as Known
    }
    return ask(good.type)
  }
}
