// mode: 6
// Every form of registering with an isolation, and of asking from where it may be asked.
import DIContainer

@MainActor final class Window {
  let title: String
  var subtitle = ""
  init(title: String = "Tea") { self.title = title }
}
final class Basket {}
@globalActor actor Store { static let shared = Store() }
@Store final class Stock {}
final class Prices: Sendable {
  static func load() async throws -> Prices { Prices() }
}

func register(_ resolver: Resolver) {
  resolver.registerMain(factory: { Window() })
  resolver.registerMain(factory: { r in Window(title: r.resolve(Window.self).title) })
  resolver.registerMain(factory: { _, args in Window(title: args()) })
  resolver.registerMain(Window.self, name: "a", factory: { Window() }).scope(.cached)
  resolver.registerMain(Window.init(title:))
  resolver.registerMain(factory: { Basket() })
  resolver.registerMain(factory: { Window() })
    .resolvePropertiesOnMain { _, window in window.subtitle = window.title }
  resolver.registerAsync { @Store in Stock() }
  resolver.registerAsync(factory: { try await Prices.load() }).scope(.cached)
  resolver.registerAsync(Prices.load)
  resolver.registerAsync(factory: { @MainActor in Window() })
  resolver.registerAsync(factory: { r in
    (await r.resolveAsync(Prices.self), await r.resolveAsync(Window.self))
  })
  resolver.registerAsync({ (prices: Prices, window: Window) in
    await Task.yield(); return [prices]
  })
  // Doubles are plain.
  resolver.register { Prices() }
}

@MainActor func askOnMain(_ resolver: Resolver) async throws {
  let window: Window = resolver.resolve()
  let _: Window = resolver.resolve()
  _ = resolver.resolve(Basket.self)
  _ = try resolver.require(Window.self)
  let _: Prices = await resolver.resolveAsync()
  _ = try await resolver.requireAsync(Stock.self)
  _ = window
}

func ask(_ resolver: Resolver) async throws {
  let _: Window = await resolver.resolveAsync()
  let none: Prices? = await resolver.resolveAsync()
  _ = try await resolver.requireAsync(Stock.self)
  _ = await resolver.optionalAsync(Prices.self)
  _ = none
  Task.detached { _ = await resolver.resolveAsync(Window.self) }
}

@Store func askOnStore(_ resolver: Resolver) async throws {
  _ = await resolver.resolveAsync(Window.self)
}

extension Container {
  var window: MainActorFactory<Window> { self { Window() }.cached }
  var prices: AsyncFactory<Prices> { self { try await Prices.load() }.singleton }
  var stock: AsyncFactory<Stock> { self { @Store in Stock() } }
  var plain: Factory<Prices> { self { Prices() } }
  var shown: MainActorFactory<Window> { self { Window() }.onTest { Window(title: "test") } }
  var tested: AsyncFactory<Prices> { self { Prices() }.onTest { try await Prices.load() } }
  @MainActor var own: Factory<Window> { self { Window() } }
}

final class Front: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var window: MainActorFactory<Window> { self { Window() } }
}

@MainActor final class Model {
  @Injected var window: Window
  @Injected(\.window) var same
  @LazyInjected(\.window) private var lazy
  @LazyInjected(\Front.window) private var lazyFront: Window
  @WeakLazyInjected(\.window) var weak
  @WeakLazyInjected(\Front.window) var weakFront: Window?
  @OptionalInjected(\.window) var optional
  @OptionalInjected(\Front.window) var optionalFront: Window?
  @DynamicInjected(\.window) var dynamic
  @DynamicInjected(\Front.window) var dynamicFront
  @LazyInjected(\.own) var own

  var titles: [String] { [lazy.title, lazyFront.title, dynamic.title, own.title] }
}

func askByProperty(_ container: Container) async throws {
  _ = await container.window()
  _ = try await container.prices()
  _ = await container.stock.resolve()
  container.prices.register { Prices() }
  container.prices.register { try await Prices.load() }
  container.window.register { Window(title: "double") }
}
