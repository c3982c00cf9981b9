import DIContainer
import Testing

private struct Composite: TeaCatalog {
  let parts: [any TeaCatalog]
  var source: String { parts.map(\.source).joined(separator: "+") }
}

@Suite("Isolation: all services of a type")
struct IsolationManyTests {
  @Test(
    "An async service may be composed of all the others without await, if none of them is async")
  func syncComposite() async {
    let resolver = Resolver()
    resolver.register(name: "sync") { LocalTeaCatalog() as any TeaCatalog }
    resolver.registerAsync(factory: { r in Composite(parts: r.resolveMany()) as any TeaCatalog })
    #expect(await resolver.resolveAsync((any TeaCatalog).self).source == "local")
  }

  @Test("One that is async cannot be listed, and is asked for alone with await")
  func needsAwait() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerAsync(
      name: "async", factory: { await RemoteTeaCatalog.load() as any TeaCatalog })
    let error = #expect(throws: ResolutionError.self) {
      try resolver.requireMany((any TeaCatalog).self)
    }
    #expect(
      error?.description == """
        The factory of `any TeaCatalog "async"` is async, and was requested without `await`.

          requested:   \(#fileID):\(line + 2)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await Resolver.root.requireAsync((any TeaCatalog).self, name: \
        "async")`.
        """)
  }

  @Test("One of the main actor is listed there only, or asked for alone with await")
  func needsMain() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerMain(name: "main", factory: { LocalTeaCatalog() as any TeaCatalog })
    let error = await Task {
      #expect(throws: ResolutionError.self) {
        try resolver.requireMany((any TeaCatalog).self)
      }
    }.value
    #expect(
      error?.description == """
        The factory of `any TeaCatalog "main"` runs on the main actor, and was requested from elsewhere \
        without `await`.

          requested:   \(#fileID):\(line + 2)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await Resolver.root.requireAsync((any TeaCatalog).self, name: \
        "main")`.
          - Or request it on the main actor: `Resolver.resolve((any TeaCatalog).self, name: "main")`.
        """)
  }

  @Test("What one of them needs that is async is asked for alone")
  func needsAwaitBelow() {
    let resolver = Resolver()
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
    let line = #line + 1
    resolver.register { r in try r.require(RemoteTeaCatalog.self) as any TeaCatalog }
    let error = #expect(throws: ResolutionError.self) {
      try resolver.requireMany((any TeaCatalog).self)
    }
    #expect(
      error?.description == """
        The factory of `RemoteTeaCatalog` is async, and was requested without `await`.

          chain:       any TeaCatalog → RemoteTeaCatalog
          from:        \(#fileID):\(line + 1)
          requested:   \(#fileID):\(line)
          registered:  \(#fileID):\(line - 2)

        To fix this:
          - Request it with `await`: `try await Resolver.root.requireAsync(RemoteTeaCatalog.self)`.
          - A factory that needs it is async in turn: `registerAsync { r in … }`.
        """)
  }
}
