import BookmarksDoubles
import BookmarksKit
import DITesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SandboxServer
import Testing

@Suite(
  "One server, shared by many tests", .quiet, .recorded, .boundaries, .template, .ownDatabase,
  .timeLimit(.minutes(10)))
struct SharedServerTests {
  @Test("serves each with its own doubles, a hundred at a time", arguments: 1...100)
  func servesEach(number: Int) async throws {
    let web = double(WebClientDouble())
    web.page.runs { url in WebPage(status: 200, title: "\(url) as test \(number) has it") }
    let client = try await SharedServer.client

    for page in ["tea", "cups"] {
      let response = try await client.add("https://\(page).example", headers: .sandbox)
      #expect(response.status == .created)
    }

    #expect(
      try await client.titles(headers: .sandbox) == [
        "https://tea.example as test \(number) has it",
        "https://cups.example as test \(number) has it",
      ])
    expectCalled(web.page, times: 2)
    expectResolved((any WebClient).self, times: 2)
  }

  @Test("has its background job, and the event loop that tries again, use the same doubles")
  func checksLinks() async throws {
    let web = double(WebClientDouble())
    web.page.returns(WebPage(status: 200), WebPage(status: 500), WebPage(status: 404))
    let client = try await SharedServer.client
    _ = try await client.add("https://tea.example", headers: .sandbox)
    _ = try await client.send(.post, "/bookmarks/1/check", headers: .sandbox)
    #expect(try await checkedBookmark(1).isBroken == true)
    expectCalled(web.page, times: 3)
  }

  @Test("serves a request without a token as the server itself was set up", .sandbox)
  func servesOthers() async throws {
    let client = try await SharedServer.client
    let name = "somebody else"
    _ = try await client.add("https://tea.example", as: name.replacing(" ", with: "-"))
    #expect(
      try await client.titles(as: name.replacing(" ", with: "-"))
        == ["Offline copy of https://tea.example"])
  }

  @Test("has a body that is written later use them, too")
  func writesBodies() async throws {
    let router = Router().add(middleware: SandboxMiddleware())
    router.get("today") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          let now = Resolver.resolve((any WallClock).self).now
          try await writer.write(ByteBuffer(string: now.ISO8601Format()))
          try await writer.finish(nil)
        })
    }
    // The server's own tasks are in this test's sandbox; the request comes from another inside it.
    try await Application(router: router).test(.ahc()) { client in
      let response = try await withSandbox { root in
        root.register { StoppedClock("2027-01-01T00:00:00Z") as any WallClock }
      } operation: {
        try await client.execute(uri: "/today", method: .get, headers: .sandbox)
      }
      #expect(response.text == "2027-01-01T00:00:00Z")
    }
  }

  @Test("says whose a token was, if the test has ended")
  func tokenHasEnded() async throws {
    let line = #line + 1
    let headers = withSandbox { HTTPFields.sandbox }
    let response = try await SharedServer.client.send(.get, "/bookmarks", headers: headers)
    #expect(response.status == .serviceUnavailable)
    #expect(
      response.text == """
        The sandbox of this token has ended.

          sandbox:  says whose a token was, if the test has ended, at \
        BookmarksTests/SharedServerTests.swift:\(line)

        To fix this:
          - Let the test await the work that it starts, such as the responses to its requests.
          - Take the token in the test that sends it, and keep none from an earlier test.
        """)
  }

  @Test("does not take a token that nobody was given")
  func tokenIsGuessed() async throws {
    let response = try await SharedServer.client.send(
      .get, "/bookmarks", headers: [.sandboxToken: "guessed"])
    #expect(response.status == .serviceUnavailable)
    #expect(
      response.text.hasPrefix(#"No sandbox of this process has the token "guessed"."#))
  }
}
