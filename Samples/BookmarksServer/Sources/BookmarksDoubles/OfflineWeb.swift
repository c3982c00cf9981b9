import BookmarksKit
public import DIContainer
import DITesting
public import SandboxServer

/// Every page is there, and its title says that it is none of the real web's.
public enum OfflineWeb: Scenario {
  /// Registers the web, and doubles for all other edges.
  public static func registerDoubles(in root: Resolver) {
    root.registerQuietEdges()
    root.register { OfflineClient() as any WebClient }
  }

  private struct OfflineClient: WebClient {
    func page(at url: String) async throws -> WebPage {
      WebPage(status: 200, title: "Offline copy of \(url)")
    }
  }
}
