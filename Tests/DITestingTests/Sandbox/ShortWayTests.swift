import Testing

@testable import DIContainer
@testable import DITesting

// An async resolution is unknown to the short way of requests in scopes, so it is closed where
// such a request may be part of the resolution, and nowhere else.

@Suite("The short way of requests in scopes")
struct ShortWayTests {
  private static var isClosed: Bool { ContextFrame.bound?.isAnyScope { $0.isOdd } ?? true }

  @Test("is closed in a sandbox, and in what is opened in it, while an async factory runs there")
  func closed() async throws {
    let shop = Resolver()
    try await withSandbox {
      shop.registerAsync { () async -> [Bool] in
        let inside = withSandbox { Self.isClosed }
        return await [Self.isClosed, inside, Task { Self.isClosed }.value]
      }
      #expect(!Self.isClosed)
      let isClosed = try await shop.requireAsync([Bool].self)
      #expect(isClosed == [true, true, true])
      #expect(!Self.isClosed)
    }
  }

  @Test("is open in a sandbox while an async factory runs in another")
  func open() async throws {
    let shop = Resolver()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (looked, look) = AsyncStream.makeStream(of: Void.self)
    async let basket = withSandbox {
      shop.registerAsync { () async -> Basket in
        start.finish()
        for await _ in looked {}
        return Basket()
      }
      return try await shop.requireAsync(Basket.self)
    }
    for await _ in started {}
    let isClosed = withSandbox { Self.isClosed }
    look.finish()
    _ = try await basket
    #expect(!isClosed)
  }

  @Test("names an async factory in the chain of a request in a sandbox that the factory opens")
  func chain() async throws {
    let shop = Resolver()
    await withSandbox {
      shop.registerAsync { () async throws -> Basket in
        try withSandbox { _ = try shop.require((any Payments).self) }
        return Basket()
      }
      let error = await #expect(throws: ResolutionError.self) {
        try await shop.requireAsync(Basket.self)
      }
      #expect(error?.description.contains("chain:      Basket → any Payments\n") ?? false)
    }
  }
}
