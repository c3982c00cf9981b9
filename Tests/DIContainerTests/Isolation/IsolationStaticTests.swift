import DICompatibility
import DIContainer
import Testing

extension Container {
  // Resolving them in a sync closure works on the actor that they belong to, and nowhere else.
  fileprivate var hasWindow: Factory<Bool> {
    self { (try? self.require(ShopWindow.self)) != nil }
  }
  fileprivate var title: ParameterFactory<String, String> {
    self { try "\(self.require(ShopWindow.self).title) and \($0)" }
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

  @Test("The static requireAsync asks the root, and throws what it says")
  func requireAsync() async throws {
    try await inSandboxLater {
      let root = Resolver()
      Resolver.root = root
      root.registerAsync(factory: { await RemoteTeaCatalog.load() }).scope(.cached)
      let catalog: RemoteTeaCatalog = try await Resolver.root.requireAsync()
      let same = try await root.requireAsync(RemoteTeaCatalog.self)
      #expect(catalog === same)
      let line: UInt = #line + 1
      let error = await #expect(throws: ResolutionError.self) {
        try await Resolver.root.requireAsync((any TeaCatalog).self, name: "spare")
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
  @Test("On the main actor the root answers at once")
  func onMain() throws {
    try inSandbox {
      let root = Resolver()
      Resolver.root = root
      root.registerMain { ShopWindow(title: "Tea") }.scope(.cached)
      let window: ShopWindow = Resolver.root.resolve()
      let required = try Resolver.root.require(ShopWindow.self)
      #expect(required === window)
      #expect(Resolver.root.optional(ShopWindow.self) === window)
      let requiredOfRoot: ShopWindow = try root.require()
      #expect(requiredOfRoot === window)
      #expect(root.optional(ShopWindow.self) === window)
      #expect(Resolver.root.optional(ShopWindow.self, name: "side") == nil)
      let line = #line + 1
      let error = #expect(throws: ResolutionError.self) {
        try Resolver.root.require(ShopWindow.self, name: "side")
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

  @Test("An optional that is awaited may be absent")
  func optionals() async {
    await inSandboxLater {
      let root = Resolver()
      Resolver.root = root
      let none: RemoteTeaCatalog? = await Resolver.root.resolveAsync()
      #expect(none == nil)
      let noneOfRoot: RemoteTeaCatalog? = await root.resolveAsync()
      #expect(noneOfRoot == nil)
      root.registerAsync(factory: { await RemoteTeaCatalog.load() })
      let some: RemoteTeaCatalog? = await Resolver.root.resolveAsync()
      #expect(some?.source == "remote")
      let someOfRoot: RemoteTeaCatalog? = await root.resolveAsync()
      #expect(someOfRoot?.source == "remote")
    }
  }
}
