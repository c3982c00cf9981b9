import DIContainer
public import Hummingbird

extension Router<BookmarksContext> {
  func addBookmarks(checkedBy queue: LinkQueue) {
    get("health") { _, _ in "fine\n" }
    #if DEBUG
    get("debug/graph") { _, _ in Resolver.requestShape.graph.mermaid }
    #endif

    let bookmarks = group("bookmarks").add(middleware: CredentialsMiddleware())
    bookmarks.get { _, context in
      try await context.transaction { request in try request.require(Bookmarks.self).all() }
    }
    bookmarks.post { request, context in
      let wanted = try await request.decode(as: NewBookmark.self, context: context)
      // Outside the transaction, which nothing should keep waiting.
      let page = try? await Resolver.root.resolve((any WebClient).self).page(at: wanted.url)
      do {
        let bookmark = try await context.transaction { request in
          try request.require(Bookmarks.self).add(url: wanted.url, title: page?.title)
        }
        return EditedResponse(status: .created, response: bookmark)
      } catch let duplicate as DuplicateBookmark {
        throw HTTPError(.conflict, message: "\(duplicate.url) is bookmarked already.")
      }
    }
    bookmarks.delete(":id") { _, context in
      let id = try context.parameters.require("id", as: Int64.self)
      let wasThere = try await context.transaction { request in
        try request.require(Bookmarks.self).remove(id)
      }
      return wasThere ? HTTPResponse.Status.noContent : .notFound
    }
    bookmarks.post(":id/check") { _, context in
      let id = try context.parameters.require("id", as: Int64.self)
      let found = try await context.transaction { request in
        try request.require(Bookmarks.self).bookmark(id)
      }
      guard found != nil else { return HTTPResponse.Status.notFound }
      queue.add(LinkQueue.Job(bookmark: id))
      return .accepted
    }
  }
}

private struct NewBookmark: Decodable {
  let url: String
}

extension Bookmark: ResponseEncodable {}
