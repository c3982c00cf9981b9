import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Reads pages of the web.
public protocol WebClient: Sendable {
  /// Returns the page at an address, or throws where there is no connection.
  func page(at url: String) async throws -> WebPage
}

/// A page as far as bookmarks need it.
public struct WebPage: Sendable, Equatable {
  /// The status of the response.
  public let status: Int
  /// The content of the `title` element, if there is one.
  public let title: String?

  /// Creates a page.
  public init(status: Int, title: String? = nil) {
    self.status = status
    self.title = title
  }

  /// Whether the page can be read.
  public var isFound: Bool { (200..<400).contains(status) }
}

/// The client of the real web; as a service, it is shut down after all that use it.
struct LiveWebClient: WebClient, Service {
  private let client = HTTPClient(eventLoopGroupProvider: .singleton)

  func page(at url: String) async throws -> WebPage {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
    let body = try await response.body.collect(upTo: 1 << 20)
    return WebPage(status: Int(response.status.code), title: Self.title(of: String(buffer: body)))
  }

  func run() async throws {
    try? await gracefulShutdown()
    try await client.shutdown()
  }

  static func title(of html: String) -> String? {
    guard let match = html.firstMatch(of: #/(?i)<title[^>]*>\s*([^<]*?)\s*</#) else { return nil }
    return String(match.1)
  }
}
