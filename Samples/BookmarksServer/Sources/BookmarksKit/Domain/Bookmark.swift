public import Foundation
public import GRDB

/// A page that a user wants to find again.
public struct Bookmark: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
  /// The number in the database.
  public internal(set) var id: Int64?
  let userId: Int64
  /// The address.
  public let url: String
  /// The page's title, or its address.
  public let title: String
  /// When the user added it.
  public let addedAt: Date
  /// When the link was last checked.
  public internal(set) var checkedAt: Date?
  /// Whether the page was not found then.
  public internal(set) var isBroken: Bool?

  /// Takes over the number that the database gave.
  public mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
