import AsyncHTTPClient
import BookmarksDoubles
import BookmarksKit
public import DITesting
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Hummingbird
import NIOCore
import Testing

// The world that the tests live in: the server's own wiring, as production has it, under doubles
// for all edges. The database is a real one: each test has a copy of a file with all tables.

extension Resolver: @retroactive ResolverRegistering {
  /// Wires the server as production does.
  public static func registerAllServices() { wireBookmarks() }
}

extension Trait where Self == SandboxTrait {
  /// A sandbox with doubles for the clock, the log, the settings and the database.
  static var quiet: Self { .sandbox { $0.registerQuietEdges() } }
}

/// A database with all tables, closed, to be copied.
struct StoreTemplate: Sendable {
  fileprivate let store: Store

  init() throws {
    store = try Store(path: Store.newFile)
    // The last connection writes everything into one file.
    store.close()
  }

  /// Returns a database of one's own, in a copy of the file.
  fileprivate func copy() throws -> Store {
    let path = Store.newFile
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    return try Store(path: path)
  }
}

extension Trait where Self == FixtureTrait {
  /// Makes the tables once, for all suites.
  static var template: Self {
    .keep(StoreTemplate.self, for: .run) {
      try StoreTemplate()
    } tearDown: {
      $0.store.remove()
    }
  }

  /// Gives each test a copy of the database.
  static var ownDatabase: Self {
    .each(Store.self, from: StoreTemplate.self) {
      try $0.copy()
    } tearDown: {
      $0.remove()
    }
  }
}

/// Runs a test with a server of its own.
func withServer(
  _ setup: TestingSetup = .router, _ test: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
  try await BookmarksApp.make().test(setup, test)
}

extension TestClientProtocol {
  /// Sends a request in a user's name.
  func send(
    _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, as user: String = "ada",
    headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = headers
    headers[.authorization] = "Bearer \(user)"
    return try await execute(
      uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
  }

  /// Adds a bookmark.
  func add(
    _ url: String, as user: String = "ada", headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await send(.post, "/bookmarks", #"{"url": "\#(url)"}"#, as: user, headers: headers)
  }

  /// The titles of a user's bookmarks.
  func titles(as user: String = "ada", headers: HTTPFields = [:]) async throws -> [String] {
    let response = try await send(.get, "/bookmarks", as: user, headers: headers)
    return try JSONDecoder().decode([Shown].self, from: Data(String(buffer: response.body).utf8))
      .map(\.title)
  }
}

private struct Shown: Decodable {
  let title: String
}

extension TestResponse {
  var text: String { String(buffer: body) }
}

/// Waits until the job has written what it found: the database itself tells.
func checkedBookmark(_ id: Int64) async throws -> Bookmark {
  let store = try await Resolver.root.requireAsync(Store.self)
  let changes = ValueObservation.tracking { try Bookmark.fetchOne($0, key: id) }
  for try await bookmark in changes.values(in: store.pool) {
    if let bookmark, bookmark.checkedAt != nil { return bookmark }
  }
  throw CancellationError()
}
