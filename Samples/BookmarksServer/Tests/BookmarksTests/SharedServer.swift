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
    try await withCheckedThrowingContinuation { started in
      Task.detached {
        do {
          try await withSandbox(unusedDoubles: .off) { root in
            root.registerQuietEdges()
            OfflineWeb.registerDoubles(in: root)
          } operation: {
            try await BookmarksApp.make(behind: [SandboxMiddleware()]).test(.ahc()) { client in
              started.resume(returning: client)
              for await _ in runs.stream {}
            }
          }
        } catch {
          started.resume(throwing: error)
        }
      }
    }
  }

  /// Never finishes, nor does the server.
  private static let runs = AsyncStream<Never>.makeStream()
}
