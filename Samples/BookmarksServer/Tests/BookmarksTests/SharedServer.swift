import BookmarksDoubles
import BookmarksKit
import DITesting
import HummingbirdTesting
import SandboxServer

/// One server for all tests of the process: it starts with the first, and ends with the process.
enum SharedServer {
  /// A client of the server, which many tests may use at once.
  static var client: any TestClientProtocol { get async throws { try await started.value } }

  // Detached, so that it belongs to none of the tests: requests that bring no token get the doubles
  // of its own sandbox.
  private static let started = Task.detached { () async throws -> any TestClientProtocol in
    let (clients, starting) = AsyncThrowingStream.makeStream(of: (any TestClientProtocol).self)
    Task.detached {
      do {
        try await withSandbox(unusedDoubles: .off) { root in
          root.registerQuietEdges()
          OfflineWeb.registerDoubles(in: root)
        } operation: {
          try await BookmarksApp.make(behind: [SandboxMiddleware()]).test(.ahc()) { client in
            starting.yield(client)
            for await _ in runs.stream {}
          }
        }
      } catch {
        starting.finish(throwing: error)
      }
    }
    // The client for tests waits for ever for a server that cannot bind its port.
    Task.detached {
      try await Task.sleep(for: .seconds(300))
      starting.finish(throwing: NotStarted())
    }
    for try await client in clients { return client }
    throw NotStarted()
  }

  /// The shared server did not start within five minutes.
  private struct NotStarted: Error {}

  /// Never finishes, nor does the server.
  private static let runs = AsyncStream<Never>.makeStream()
}
