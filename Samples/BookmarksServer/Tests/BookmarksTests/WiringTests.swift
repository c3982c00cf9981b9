import BookmarksDoubles
import BookmarksKit
import DITesting
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The server's wiring", .sandbox, .boundaries, .timeLimit(.minutes(10)))
struct WiringTests {
  @Test("is as it should be, by start-up's own check")
  func isValid() throws {
    try BookmarksApp.validate()
  }

  @Test("is reported on standard error with all that is wrong, and the server does not start")
  func reportsFindings() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Resolver.resolve(Settings.self)
      Resolver.main.remove((any WallClock).self)
      Resolver.main.remove(User.self)
      // If nothing were found wrong, the server would run, and the test wait for it.
      Task.detached {
        try await Task.sleep(for: .seconds(300))
        exit(EXIT_SUCCESS)
      }
      try await BookmarksApp.run()
    }
    let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(errors.contains("2 things are wrong with the wiring"), "\(errors)")
  }

  @Test("opens the database once, however many ask, and closes it at the end", .quiet)
  func opensOnce() async throws {
    let first = try await Resolver.root.requireAsync(Store.self)
    let second = try await Resolver.root.requireAsync(Store.self)
    #expect(first.pool === second.pool)

    Scope.application.reset()

    await #expect(throws: (any Error).self, "the pool is closed") {
      try await first.pool.read { _ in }
    }
  }

  @Test("can be looked at, in a debug build alone", .quiet)
  func graph() async throws {
    double(WebClientDouble())
    try await withServer { client in
      let response = try await client.execute(uri: "/debug/graph", method: .get)
      #if DEBUG
      #expect(response.text.hasPrefix("flowchart"))
      #expect(response.text.contains("Bookmarks"))
      #else
      #expect(response.status == .notFound)
      #endif
    }
  }
}
