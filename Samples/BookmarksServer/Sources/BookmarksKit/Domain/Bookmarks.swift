import GRDB

/// One user's bookmarks, within one transaction.
public struct Bookmarks {
  private let db: Database
  private let user: Int64
  private let clock: any WallClock
  private let requestID: RequestID

  package init(
    transaction: Transaction, user: User, clock: any WallClock, requestID: RequestID
  ) {
    db = transaction.db
    self.user = user.id ?? 0
    self.clock = clock
    self.requestID = requestID
  }

  /// All bookmarks, the oldest first.
  public func all() throws -> [Bookmark] {
    try mine.order(Column("id")).fetchAll(db)
  }

  /// Adds a bookmark.
  ///
  /// - Throws: `DuplicateBookmark` where the address is bookmarked already.
  public func add(url: String, title: String?) throws -> Bookmark {
    var bookmark = Bookmark(userId: user, url: url, title: title ?? url, addedAt: clock.now)
    try bookmark.insert(db)
    // After the insertion, to show that a request's transaction is undone as a whole.
    guard try mine.filter(Column("url") == url).fetchCount(db) == 1 else {
      throw DuplicateBookmark(url: url, requestID: requestID)
    }
    return bookmark
  }

  /// The bookmark with a number, if it is the user's.
  public func bookmark(_ id: Int64) throws -> Bookmark? {
    try mine.filter(key: id).fetchOne(db)
  }

  /// Removes a bookmark; returns whether it was there.
  public func remove(_ id: Int64) throws -> Bool {
    try mine.filter(key: id).deleteAll(db) == 1
  }

  private var mine: QueryInterfaceRequest<Bookmark> {
    Bookmark.filter(Column("userId") == user)
  }
}

/// An address that is bookmarked already.
struct DuplicateBookmark: Error {
  let url: String
  let requestID: RequestID
}
