import DIContainer
import DITesting
import Testing

// Services of the main actor and async ones, declared by key path, and the doubles that a test puts
// in their place.

@MainActor
private final class ShopWindow {
  let title: String
  init(_ title: String = "live") { self.title = title }
}

private protocol Catalog: Sendable {
  var source: String { get }
}

private struct RemoteCatalog: Catalog {
  let source = "live"
}

private struct FakeCatalog: Catalog {
  var source = "fake"
  static func load() async throws -> FakeCatalog {
    await Task.yield()
    return FakeCatalog(source: "loaded")
  }
}

private final class Spy {
  var builds = 0
}

extension Container {
  fileprivate var window: MainActorFactory<ShopWindow> { self { ShopWindow() } }
  fileprivate var catalog: AsyncFactory<any Catalog> { self { RemoteCatalog() } }
}

private final class Front: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var window: MainActorFactory<ShopWindow> { self { ShopWindow() }.cached }
  var catalog: AsyncFactory<any Catalog> { self { RemoteCatalog() }.cached }
}

@Suite("Doubles of isolated services by key path")
struct IsolatedDoublesTests {
  @MainActor
  @Test("A layer's double of a main-actor service is made there, in the container it names")
  func mainActor() {
    withLayer { layer in
      layer.double(\.window) { ShopWindow("own") }
      layer.double(\Front.window) { ShopWindow("named") }
    } operation: {
      #expect(Container.shared.window().title == "own")
      #expect(Front.shared.window().title == "named")
      #expect(Front().window() === Front().window())
    }
    #expect(Container.shared.window().title == "live")
    #expect(Front.shared.window().title == "live")
  }

  @Test("It answers elsewhere with await")
  func offMain() async {
    let titles = await withLayer {
      $0.double(\.window) { ShopWindow("own") }
      $0.double(\Front.window) { ShopWindow("named") }
    } operation: {
      [await Container.shared.window().title, await Front.shared.window().title]
    }
    #expect(titles == ["own", "named"])
  }

  @MainActor
  @Test("One instance may be the double of a main-actor service")
  func mainActorInstance() {
    let window = ShopWindow("instance")
    withLayer { layer in
      layer.double(\.window, window)
      layer.double(\Front.window, window)
    } operation: {
      #expect(Container.shared.window() === window)
      #expect(Front.shared.window() === window)
    }
  }

  @Test("A layer's double of an async service may be sync, with what is not Sendable")
  func sync() async throws {
    let spy = Spy()
    let sources = try await withLayer { layer in
      layer.double(\.catalog) {
        spy.builds += 1
        return FakeCatalog(source: "own")
      }
      layer.double(\Front.catalog) { FakeCatalog(source: "named") }
    } operation: {
      [try await Container.shared.catalog().source, try await Front.shared.catalog().source]
    }
    #expect(sources == ["own", "named"])
    #expect(spy.builds == 1)
    #expect(try await Container.shared.catalog().source == "live")
  }

  @Test("A layer's double of an async service may be async")
  func asynchronous() async throws {
    let sources = try await withLayer { layer in
      layer.double(\.catalog) { try await FakeCatalog.load() }
      layer.double(\Front.catalog) {
        await Task.yield()
        return FakeCatalog(source: "named")
      }
    } operation: {
      [try await Container.shared.catalog().source, try await Front.shared.catalog().source]
    }
    #expect(sources == ["loaded", "named"])
  }

  @Test("One value may be the double of an async service, until another is registered")
  func value() async throws {
    let sources = try await withSandbox {
      Resolver.root.double(\.catalog, FakeCatalog())
      Resolver.root.double(\Front.catalog, FakeCatalog(source: "named"))
      var sources = [try await Container.shared.catalog().source]
      sources.append(try await Front.shared.catalog().source)
      Front.shared.catalog.register { FakeCatalog(source: "later") }
      sources.append(try await Front.shared.catalog().source)
      return sources
    }
    #expect(sources == ["fake", "named", "later"])
  }

  @Test(
    "A layer's trait has doubles of them, too",
    .layer { layer in
      layer.double(\.window) { ShopWindow("trait") }
      layer.double(\Front.catalog) { try await FakeCatalog.load() }
    })
  func trait() async throws {
    #expect(await Container.shared.window().title == "trait")
    #expect(try await Front.shared.catalog().source == "loaded")
  }

  @Test("A container of its own has doubles of them where it is made")
  func ownContainer() async throws {
    let container = Resolver { r in
      r.double(\.catalog) { try await FakeCatalog.load() }
      r.double(\.window) { ShopWindow("own") }
    }
    #expect(try await container.catalog().source == "loaded")
    #expect(await container.window().title == "own")
  }

  @MainActor
  @Test("Their doubles are recorded as such")
  func recorded() async throws {
    let recorder = ResolutionRecorder()
    try await withLayer { layer in
      layer.double(\Front.window) { ShopWindow("named") }
      layer.double(\Front.catalog) { FakeCatalog() }
    } operation: {
      try await withRecorder(recorder) {
        _ = Front.shared.window()
        _ = try await Front.shared.catalog()
        expectResolved(\Front.window, times: 1)
        expectResolved(\Front.catalog, times: 1)
        expectOnlyDoublesResolved()
      }
    }
    #expect(recorder.events.map(\.isDouble) == [true, true])
  }
}
