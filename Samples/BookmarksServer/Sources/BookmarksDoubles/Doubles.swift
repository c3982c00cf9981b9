public import BookmarksKit
public import DITesting
public import Foundation
import Logging

/// The web as a test tells it.
public final class WebClientDouble: WebClient, TestDouble {
  /// Returns the double as what it stands for.
  public static func asDoubled(_ double: WebClientDouble) -> any WebClient { double }

  /// What `page(at:)` does.
  public let page = AsyncStub<String, WebPage, any Error>("WebClient.page(at:)")

  /// Creates a double that has no pages yet.
  public init() {}

  /// Returns the page that a test stubbed.
  public func page(at url: String) async throws -> WebPage { try await page.call(url) }
}

/// A clock that stands still.
public struct StoppedClock: WallClock {
  /// The date at which it stands.
  public let now: Date

  /// Creates a clock that stands at a date.
  public init(_ now: String = "2026-12-24T12:00:00Z") {
    self.now = (try? Date(now, strategy: .iso8601)) ?? .distantPast
  }
}

extension Resolver {
  /// Registers doubles for all edges but the web: a database of one's own in a temporary file, a
  /// clock that stands, no log, and no waiting.
  public func registerQuietEdges() {
    register { Settings(port: 0, retryDelay: .zero) }.mayBeUnused()
    register { StoppedClock() as any WallClock }.mayBeUnused()
    register {
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      return logger
    }.mayBeUnused()
    register { try Store(path: Store.newFile) }.scope(.application).onRelease { $0.remove() }
      .mayBeUnused()
  }
}

extension Store {
  /// The path of a temporary file that is not there yet.
  public static var newFile: String {
    NSTemporaryDirectory() + "bookmarks-\(UUID().uuidString).sqlite"
  }

  /// Closes all connections, and removes the database's files.
  public func remove() {
    close()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }
}
