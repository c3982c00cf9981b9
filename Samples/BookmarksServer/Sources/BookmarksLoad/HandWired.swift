import BookmarksKit
import GRDB
import Hummingbird

/// The same request without a container: what it needs is passed by hand.
enum HandWired {
  static func router(
    store: Store, clock: any WallClock
  ) -> Router<BookmarksContext> {
    let router = Router(context: BookmarksContext.self)
    router.group("bookmarks").add(middleware: CredentialsMiddleware()).get { _, context in
      guard let credentials = context.credentials else { throw HTTPError(.unauthorized) }
      let id = RequestID(text: context.id)
      return try await store.pool.write { db in
        let transaction = Transaction(db: db)
        return try Bookmarks(
          transaction: transaction,
          user: try User.signedIn(with: credentials, transaction), clock: clock, requestID: id
        ).all()
      }
    }
    return router
  }
}
