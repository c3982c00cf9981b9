import DIContainer
import Testing

private final class Stall: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var window: MainActorFactory<ShopWindow> {
    self { ShopWindow(title: "live") }
      .onArg("args") { ShopWindow(title: "argument") }
      .onArgs(["one", "two"]) { ShopWindow(title: "arguments") }
      .onPreview { ShopWindow(title: "preview") }
      .onTest { ShopWindow(title: "test") }
      .onSimulator { ShopWindow(title: "simulator") }
      .onDevice { ShopWindow(title: "device") }
  }
  var catalog: AsyncFactory<RemoteTeaCatalog> {
    self { await loaded("live") }
      .onArg("args") { await loaded("argument") }
      .onArgs(["one", "two"]) { await loaded("arguments") }
      .onPreview { await loaded("preview") }
      .onTest { await loaded("test") }
      .onSimulator { await loaded("simulator") }
      .onDevice { await loaded("device") }
  }
  var plain: MainActorFactory<ShopWindow> {
    self { ShopWindow(title: "live") }.onDebug { ShopWindow(title: "debug") }
  }
  var almanac: AsyncFactory<RemoteTeaCatalog> {
    self { await loaded("live") }.onDebug { await loaded("debug") }
  }
}

private func loaded(_ source: String) async -> RemoteTeaCatalog {
  await Task.yield()
  return RemoteTeaCatalog(source: source)
}

private typealias Change = @Sendable (inout FactoryContext) -> Void

/// Which context holds, by how the process came to be.
private let changes: [(String, Change)] = [
  ("simulator", { _ in }),
  ("argument", { $0.arguments.append("args") }),
  ("arguments", { $0.arguments.append("two") }),
  ("preview", { $0.isPreview = true }),
  ("test", { $0.isTest = true }),
  ("device", { $0.isSimulator = false }),
]

@Suite("Isolation: contexts of isolated services")
struct IsolatedContextTests {
  /// Runs in a process in which no context but that of a simulator holds, but for the change.
  private nonisolated(nonsending) func inProcess<Result>(
    _ change: Change, _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await inSandboxLater {
      FactoryContext.set(change)
      return try await body()
    }
  }

  @MainActor
  @Test("The closure for a context makes a main-actor service, on the main actor")
  func mainActor() async {
    for (expected, change) in changes {
      let title = await inProcess(change) { Stall().window().title }
      #expect(title == expected)
    }
  }

  @Test("The closure for a context may wait where the service is async")
  func asynchronous() async throws {
    for (expected, change) in changes {
      let source = try await inProcess(change) { try await Stall().catalog().source }
      #expect(source == expected)
    }
  }

  @MainActor
  @Test("That for debugging counts after all others")
  func debugging() async throws {
    let (title, source) = try await inProcess({ $0.isDebug = true }) {
      (Stall().plain().title, try await Stall().almanac().source)
    }
    #expect(title == "debug")
    #expect(source == "debug")
  }

  @MainActor
  @Test("A context that is set from outside stays with the container until it is taken back")
  func fromOutside() async {
    let stall = Stall()
    let titles = await inProcess({ $0.isPreview = true }) {
      stall.plain.context(.arg("sale"), .preview) { ShopWindow(title: "sample") }
      var titles = [stall.plain().title]
      stall.plain.reset(.context)
      titles.append(stall.plain().title)
      return titles
    }
    #expect(titles == ["sample", "live"])
  }

  @Test("An async context that is set from outside does, too")
  func asyncFromOutside() async throws {
    let stall = Stall()
    let sources = try await inProcess({ $0.arguments.append("sale") }) {
      stall.catalog.context(.arg("sale")) { await loaded("sample") }
      var sources = [try await stall.catalog().source]
      stall.catalog.reset(.context)
      sources.append(try await stall.catalog().source)
      return sources
    }
    #expect(sources == ["sample", "simulator"])
  }
}
