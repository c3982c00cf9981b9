import BookmarksDoubles
import BookmarksKit
import DITesting
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(
  "Bookmarks, by the real router and by a real socket", .quiet, .recorded, .boundaries, .template,
  .ownDatabase,
  .timeLimit(.minutes(10)))
struct BookmarkTests {
  static let ways: [String] = ["router", "socket"]

  private static func setup(_ way: String) -> TestingSetup { way == "router" ? .router : .ahc() }

  @Test("are added with the title that the page has", arguments: ways)
  func addsWithTitle(way: String) async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200, title: "Tea"))
    try await withServer(Self.setup(way)) { client in
      let response = try await client.add("https://tea.example")
      #expect(response.status == .created)
      #expect(
        response.text.contains(#""addedAt":"2026-12-24T12:00:00Z""#), "the clock's double tells it")
      #expect(try await client.titles() == ["Tea"])
    }
    expectCalled(web.page, times: 1) { $0 == "https://tea.example" }
    expectOnlyDoublesResolved(
      except: Self.inside + [RequestID.self, Credentials.self, Transaction.self])
  }

  @Test("have their address for a title where the web cannot be reached", arguments: ways)
  func addsOffline(way: String) async throws {
    struct NoConnection: Error {}
    let web = double(WebClientDouble())
    web.page.throws(NoConnection())
    try await withServer(Self.setup(way)) { client in
      let response = try await client.add("https://tea.example")
      #expect(response.status == .created)
      #expect(try await client.titles() == ["https://tea.example"])
    }
  }

  @Test("belong to the user who added them", arguments: ways)
  func belongToUsers(way: String) async throws {
    let web = double(WebClientDouble())
    web.page.runs { url in WebPage(status: 200, title: "Page at \(url)") }
    try await withServer(Self.setup(way)) { client in
      _ = try await client.add("https://tea.example", as: "ada")
      _ = try await client.add("https://cups.example", as: "bob")
      #expect(try await client.titles(as: "ada") == ["Page at https://tea.example"])
      #expect(try await client.titles(as: "bob") == ["Page at https://cups.example"])
    }
  }

  @Test("are added once: a request's transaction is undone as a whole", arguments: ways)
  func addsOnce(way: String) async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200, title: "Tea"))
    try await withServer(Self.setup(way)) { client in
      _ = try await client.add("https://tea.example")
      let again = try await client.add("https://tea.example")
      #expect(again.status == .conflict)
      #expect(
        again.text == #"{"error":{"message":"https:\/\/tea.example is bookmarked already."}}"#)
      #expect(try await client.titles() == ["Tea"])
    }
  }

  @Test("are removed by those who have them", arguments: ways)
  func removes(way: String) async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200, title: "Tea"))
    try await withServer(Self.setup(way)) { client in
      _ = try await client.add("https://tea.example", as: "ada")
      #expect(try await client.send(.delete, "/bookmarks/1", as: "bob").status == .notFound)
      #expect(try await client.send(.delete, "/bookmarks/1", as: "ada").status == .noContent)
      #expect(try await client.titles() == [])
    }
  }

  @Test("are not shown to somebody who does not say who they are", arguments: ways)
  func needCredentials(way: String) async throws {
    double(WebClientDouble())
    try await withServer(Self.setup(way)) { client in
      let response = try await client.execute(uri: "/bookmarks", method: .get)
      #expect(response.status == .unauthorized)
    }
  }

  /// What production registers for itself, behind the edges.
  private static let inside: [Any.Type] = BookmarksAssembly.services
}
