// mode: 5
// Code as it is written for Resolver, in Swift 5 mode.
import DICompatibility
import DIContainer

class NetworkService {
  let session: SessionService
  var delegate: SessionService?

  init(session: SessionService) { self.session = session }
}
class SessionService {}
protocol Fetching {}
extension NetworkService: Fetching {}

extension Resolver.Name {
  static let fred = Self("Fred")
}
extension ResolverScope {
  static let session = ResolverScopeCache()
}
extension Resolver {
  static var custom = Resolver()
  static let mock = Resolver(child: main)

  static func registerEverything() {
    defaultScope = .graph
    register { NetworkService(session: resolve()) }
      .implements(Fetching.self)
      .resolveProperties { resolver, service in service.delegate = resolver.optional() }
      .scope(.session)
    register { SessionService() }.scope(.shared)
    register(name: .fred) { SessionService() }.scope(.application)
    register(SessionService.self, name: "Barney") { _, _ in SessionService() }
    register(String.self, name: .name(fromString: "greeting")) { _, args in
      args("polite") ? "Good day, \(args("name") as String)" : args.get("name")
    }
    main.add(child: custom)
    mock.register { SessionService() as SessionService }
    root = mock
  }
}

// Helpers of an app's own, in Resolver's words.
extension Resolver {
  static func plain<Service>(_ factory: @escaping ResolverFactory<Service>) {
    register(factory: factory).scope(ResolverScope.unique)
  }

  static func wired<Service>(
    _ factory: @escaping ResolverFactoryResolver<Service>,
    properties: @escaping ResolverFactoryMutator<Service>
  ) {
    register(factory: factory).resolveProperties(properties)
  }

  static func asked<Service>(
    _ factory: @escaping ResolverFactoryArgumentsN<Service>,
    properties: @escaping ResolverFactoryMutatorArgumentsN<Service>
  ) {
    register(factory: factory).resolveProperties(properties)
  }

  static func registerByHelpers() {
    let unique: ResolverScopeUnique = .unique
    register { SessionService() }.scope(unique)
    plain { SessionService() }
    wired({ NetworkService(session: $0.resolve()) }) { $1.delegate = $0.optional() }
    asked({ _, args in args("anonymous") ? SessionService() : nil }) { _, _, _ in }
    let container: Container = .main
    container.register { SessionService() }
  }
}

class Screen: Resolving {
  @Injected var network: NetworkService
  @Injected(name: .fred) var fred: SessionService
  @Injected(container: .custom) var custom: SessionService
  @LazyInjected var lazy: NetworkService
  @WeakLazyInjected var weak: SessionService?
  @OptionalInjected var maybe: SessionService?
  lazy var fetching: Fetching = resolver.resolve()
  lazy var named: SessionService? = resolver.optional(name: "Barney")

  func prepare() {
    $lazy.name = .fred
    $lazy.args = ["a": 1]
    $lazy.container = .mock
    if !$lazy.isEmpty { $lazy.release() }
    ResolverScope.session.reset()
    ResolverScope.cached.reset()
    Resolver.custom.cache.reset()
    Resolver.decorate = { print($0) }
    Resolver.registerServices?()
    Resolver.main.registerServices()
    Resolver.reset()
  }
}
