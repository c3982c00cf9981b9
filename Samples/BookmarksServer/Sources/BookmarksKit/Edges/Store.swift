public import GRDB

/// The database: open, and with all tables.
public struct Store: Sendable {
  /// The database's file.
  public let path: String
  /// The connections to the database.
  public let pool: DatabasePool

  /// Opens a database, and makes the tables that it lacks.
  public init(path: String) throws {
    self.path = path
    pool = try DatabasePool(path: path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first version") { db in
      try db.create(table: "user") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("token", .text).notNull().unique()
      }
      try db.create(table: "bookmark") { table in
        table.autoIncrementedPrimaryKey("id")
        table.belongsTo("user", onDelete: .cascade).notNull()
        table.column("url", .text).notNull()
        table.column("title", .text).notNull()
        table.column("addedAt", .datetime).notNull()
        table.column("checkedAt", .datetime)
        table.column("isBroken", .boolean)
      }
    }
    try migrator.migrate(pool)
  }

  /// Closes all connections.
  public func close() {
    try? pool.close()
  }
}

/// The one transaction of a request: what its services write is kept, or undone, as a whole.
public struct Transaction {
  let db: Database

  package init(db: Database) { self.db = db }
}
