import DIContainer
import Testing

@MainActor
private final class ShelfModel {
  let name: String
  var window: ShopWindow?
  init(name: String = "plain") { self.name = name }
}

/// What belongs to the main actor, but is made by any thread.
private final class LooseModel: Sendable {}

@Suite("Isolation: what is set and named in a registration")
struct IsolationPropertiesTests {
  private let resolver = Resolver { r in
    r.registerMain { ShopWindow() }
    r.registerMain { ShelfModel() }
      .resolvePropertiesOnMain { r, model in model.window = r.resolve() }
  }

  @MainActor
  @Test("Properties of a main-actor service are set on the main actor")
  func onMain() throws {
    #expect(try resolver.require(ShelfModel.self).window?.title == "Tea")
  }

  @Test("They are where the service is asked for elsewhere, with await")
  func elsewhere() async throws {
    let model = try await resolver.requireAsync(ShelfModel.self)
    #expect(await model.window?.title == "Tea")
  }

  @Test("Where a factory runs elsewhere, they are an error that says so")
  func looseFactory() async {
    let line = #line + 5
    resolver.register { LooseModel() }
      .resolvePropertiesOnMain { _, _ in Issue.record("This does not run.") }
    let resolver = resolver
    let error = await Task {
      #expect(throws: ResolutionError.self) { try resolver.require(LooseModel.self) }
    }.value
    #expect(
      error?.description == """
        The factory of `LooseModel` runs on the main actor, and was requested from elsewhere without \
        `await`.

          requested:  \(#fileID):\(line)

        To fix this:
          - Register it with `registerMain`; then `try await \
        Resolver.root.requireAsync(LooseModel.self)` makes it there.
          - Or request it on the main actor: `Resolver.resolve(LooseModel.self)`.
        """)
  }
}
