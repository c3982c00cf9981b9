import DIContainer
import Testing

extension Container {
  // Resolving them in a sync closure works on the actor that they belong to, and nowhere else.
  fileprivate var hasWindow: Factory<Bool> {
    self { (try? self.require(ShopWindow.self)) != nil }
  }
  fileprivate var hasStock: Factory<Bool> {
    self { (try? self.require(TeaStock.self)) != nil }
  }
  fileprivate var title: ParameterFactory<String, String> {
    self { try "\(self.require(ShopWindow.self).title) and \($0)" }
  }
  fileprivate var shelf: ParameterFactory<String, String?> {
    self { number in (try? self.require(TeaStock.self)).map { _ in "shelf \(number)" } }
  }
}

extension Container {
  fileprivate var window: MainActorFactory<ShopWindow> { makes { ShopWindow() }.cached }
  fileprivate var asyncCatalog: AsyncFactory<any TeaCatalog> {
    makes { await RemoteTeaCatalog.load() }
  }
}

@MainActor
private final class WindowModel {
  @Injected(\.window) var window
}

@Suite("Isolation: asking on an actor")
struct IsolationStaticTests {
  @Test("resolveOnMainActor resolves on the main actor")
  func onMainActor() async {
    let container = Resolver { r in
      r.registerMain { ShopWindow(title: "Tea") }
    }
    #expect(!container.hasWindow())
    #expect(await container.hasWindow.resolveOnMainActor())
    #expect(await container.title.resolveOnMainActor("mugs") == "Tea and mugs")
  }

  @Test("resolveOnGlobalActor resolves on the actor that it is given")
  func onGlobalActor() async {
    let container = Resolver { r in
      r.register(on: StoreActor.self) { @StoreActor in TeaStock() }
      r.registerMain { ShopWindow() }
    }
    #expect(!container.hasStock())
    #expect(await container.hasStock.resolveOnGlobalActor(StoreActor.shared))
    #expect(await !container.hasStock.resolveOnGlobalActor(MainActor.shared))
    #expect(await container.hasWindow.resolveOnGlobalActor(MainActor.shared))
    #expect(
      await container.shelf.resolveOnGlobalActor(StoreActor.shared, parameters: "A2")
        == "shelf A2")
    #expect(
      await container.shelf.resolveOnGlobalActor(MainActor.shared, parameters: "A2") == nil)
  }

  @Test("The static requireAsync asks the root, and throws what it says")
  func requireAsync() async throws {
    try await inSandboxLater {
      let root = Resolver()
      Resolver.root = root
      root.registerAsync(factory: { await RemoteTeaCatalog.load() }).scope(.cached)
      let catalog: RemoteTeaCatalog = try await Resolver.requireAsync()
      let same = try await root.requireAsync(RemoteTeaCatalog.self)
      #expect(catalog === same)
      let line: UInt = #line + 1
      let error = await #expect(throws: ResolutionError.self) {
        try await Resolver.requireAsync((any TeaCatalog).self, name: "spare")
      }
      #expect(
        error?.description == """
          Nothing is registered for `any TeaCatalog "spare"`.

            requested:  \(#fileID):\(line)
            asked:      \(root.core.label)

          To fix this:
            - Register it: `register(name: "spare") { … as any TeaCatalog }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as \
          `(any TeaCatalog)?`.
          """)
    }
  }

  @MainActor
  @Test("What is not Sendable is had where the caller is, from the root too")
  func isolated() async throws {
    try await inSandboxLater {
      let root = Resolver()
      Resolver.root = root
      root.registerMain { TeaBasket() }
      let basket = await root.resolveAsync(TeaBasket.self, isolation: #isolation)
      basket.lines.append("MUG")
      let other: TeaBasket = try await root.requireAsync(isolation: #isolation)
      #expect(other !== basket)
      let third: TeaBasket? = await root.optionalAsync(isolation: #isolation)
      #expect(third != nil)
      let none = await root.optionalAsync(
        TeaBasket.self, name: "gift", isolation: #isolation)
      #expect(none == nil)
      do throws(ResolutionError) {
        _ = try await root.requireAsync(TeaBasket.self, name: "gift", isolation: #isolation)
        Issue.record("a basket is there")
      } catch {
        #expect(error.reason == .notRegistered)
      }
    }
  }

  @MainActor
  @Test("On the main actor the root answers at once")
  func onMain() throws {
    try inSandbox {
      let root = Resolver()
      Resolver.root = root
      root.registerMain { ShopWindow(title: "Tea") }.scope(.cached)
      let window: ShopWindow = Resolver.root.resolveOnMain()
      let required = try Resolver.root.requireOnMain(ShopWindow.self)
      #expect(required === window)
      #expect(Resolver.root.optionalOnMain(ShopWindow.self) === window)
      let requiredOfRoot: ShopWindow = try root.requireOnMain()
      #expect(requiredOfRoot === window)
      #expect(root.optionalOnMain(ShopWindow.self) === window)
      #expect(Resolver.root.optionalOnMain(ShopWindow.self, name: "side") == nil)
      let line = #line + 1
      let error = #expect(throws: ResolutionError.self) {
        try Resolver.root.requireOnMain(ShopWindow.self, name: "side")
      }
      #expect(error?.reason == .notRegistered)
      #expect(error?.requestedAt.line == UInt(line))
    }
  }

  @MainActor
  @Test("What a main-actor property makes is injected on the main actor")
  func injected() {
    inSandbox {
      let window = Container.shared.window()
      #expect(WindowModel().window === window)
    }
  }

  @Test("An async property is declared with makes, too, and registered by a call")
  func asyncProperty() async throws {
    let container = Resolver()
    #expect(try await container.asyncCatalog().source == "remote")
    container.asyncCatalog { LocalTeaCatalog(source: "double") }
    #expect(try await container.asyncCatalog().source == "double")
  }

  @Test("Every form of registering for an actor registers in main")
  func staticRegistering() async throws {
    try await inSandboxLater {
      Resolver.register { LocalTeaCatalog(source: "main") }
      Resolver.registerAsync(factory: { r in
        RemoteTeaCatalog(source: try await r.requireAsync(LocalTeaCatalog.self).source)
      })
      Resolver.main.registerAsync(name: "argument") { _, args in
        RemoteTeaCatalog(source: args("source"))
      }
      Resolver.registerMain(name: "container") { r in
        ShopWindow(title: r.resolve(LocalTeaCatalog.self).source)
      }
      Resolver.main.registerMain(name: "argument") { _, args in
        ShopWindow(title: args("title"))
      }
      Resolver.main.register(on: StoreActor.self, name: "container") { @StoreActor r in
        TeaStock(shelf: r.resolve(LocalTeaCatalog.self).source)
      }
      Resolver.main.register(on: StoreActor.self, name: "argument") { @StoreActor _, args in
        TeaStock(shelf: args("shelf"))
      }
      let answers = [
        try await Resolver.requireAsync(RemoteTeaCatalog.self).source,
        try await Resolver.requireAsync(
          RemoteTeaCatalog.self, name: "argument", args: ["source": "passed"]
        ).source,
        await Resolver.root.resolveOnMain(ShopWindow.self, name: "container").title,
        await Resolver.root.resolveOnMain(
          ShopWindow.self, name: "argument", args: ["title": "passed"]
        ).title,
        await Resolver.resolveAsync(TeaStock.self, name: "container").shelf,
        await Resolver.resolveAsync(
          TeaStock.self, name: "argument", args: ["shelf": "passed"]
        ).shelf,
      ]
      #expect(answers == ["main", "passed", "main", "passed", "main", "passed"])
    }
  }

  @Test("Every form of registering for an instance of an actor registers in main")
  func staticRegisteringOn() async throws {
    try await inSandboxLater {
      let warehouse = TeaWarehouse(label: "north")
      Resolver.register { LocalTeaCatalog(source: "main") }
      Resolver.main.register(on: warehouse, name: "plain") { warehouse in
        RemoteTeaCatalog(source: "\(warehouse.label) \(warehouse.addShelf())")
      }
      Resolver.main.register(on: warehouse, name: "container") { warehouse, r in
        RemoteTeaCatalog(
          source: "\(r.resolve(LocalTeaCatalog.self).source) \(warehouse.addShelf())")
      }
      Resolver.main.register(on: warehouse, name: "argument") { warehouse, _, args in
        RemoteTeaCatalog(source: "\(args("shelf") as String) \(warehouse.addShelf())")
      }
      var sources: [String] = []
      for name: Resolver.Name in ["plain", "container", "argument"] {
        sources.append(
          try await Resolver.requireAsync(
            RemoteTeaCatalog.self, name: name, args: ["shelf": "passed"]
          ).source)
      }
      #expect(sources == ["north 1", "main 2", "passed 3"])
    }
  }

  @Test("An optional that is awaited may be absent")
  func optionals() async {
    await inSandboxLater {
      let root = Resolver()
      Resolver.root = root
      let none: RemoteTeaCatalog? = await Resolver.resolveAsync()
      #expect(none == nil)
      let noneOfRoot: RemoteTeaCatalog? = await root.resolveAsync()
      #expect(noneOfRoot == nil)
      root.registerAsync(factory: { await RemoteTeaCatalog.load() })
      let some: RemoteTeaCatalog? = await Resolver.resolveAsync()
      #expect(some?.source == "remote")
      let someOfRoot: RemoteTeaCatalog? = await root.resolveAsync()
      #expect(someOfRoot?.source == "remote")
    }
  }
}
