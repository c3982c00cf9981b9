package import GRDB

/// A person with bookmarks.
///
/// Every token is a user: the sample has no sign-up.
package struct User: Codable, FetchableRecord, MutablePersistableRecord {
  package var id: Int64?
  let token: String

  package mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

  package static func signedIn(
    with credentials: Credentials, _ transaction: Transaction
  ) throws -> User {
    let known = try User.filter(Column("token") == credentials.token).fetchOne(transaction.db)
    if let known { return known }
    var user = User(id: nil, token: credentials.token)
    try user.insert(transaction.db)
    return user
  }
}

/// How a request says whose it is.
public struct Credentials: Sendable {
  let token: String

  /// Creates credentials.
  public init(token: String) {
    self.token = token
  }
}
