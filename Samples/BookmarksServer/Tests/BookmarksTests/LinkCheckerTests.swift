import BookmarksDoubles
import BookmarksKit
import DITesting
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(
  "The background job", .quiet, .recorded, .boundaries, .template, .ownDatabase,
  .timeLimit(.minutes(10)))
struct LinkCheckerTests {
  @Test("checks a link with the doubles of the test that asked for it")
  func checks() async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200, title: "Tea"))
    try await withServer(.ahc()) { client in
      _ = try await client.add("https://tea.example")
      #expect(try await client.send(.post, "/bookmarks/1/check").status == .accepted)
      let bookmark = try await checkedBookmark(1)
      #expect(bookmark.isBroken == false)
      #expect(bookmark.checkedAt == StoppedClock().now)
    }
    expectCalled(web.page, times: 2)
  }

  @Test("tries a link that fails once more, from an event loop, with the same doubles")
  func triesAgain() async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200), WebPage(status: 500), WebPage(status: 404))
    try await withServer(.ahc()) { client in
      _ = try await client.add("https://tea.example")
      _ = try await client.send(.post, "/bookmarks/1/check")
      #expect(try await checkedBookmark(1).isBroken == true)
    }
    expectCalled(web.page, times: 3)
  }
}
