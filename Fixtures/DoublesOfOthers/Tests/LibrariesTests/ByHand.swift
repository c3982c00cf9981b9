import GRDB

// Requirements whose names begin with an underscore are in no symbol graph, so they are written by
// hand, as the guide says. They are answered as real values of GRDB answer them.

nonisolated private struct Author: TableRecord {
  static let books = hasMany(Book.self)
}
nonisolated private struct Book: TableRecord {
  static let author = belongsTo(Author.self)
}

nonisolated extension AssociationDouble {
  var _sqlAssociation: _SQLAssociation {
    get { Book.author._sqlAssociation }
    set {}
  }
}
nonisolated extension AssociationToOneDouble {
  var _sqlAssociation: _SQLAssociation {
    get { Book.author._sqlAssociation }
    set {}
  }
}
nonisolated extension AssociationToManyDouble {
  var _sqlAssociation: _SQLAssociation {
    get { Author.books._sqlAssociation }
    set {}
  }
}

nonisolated extension JoinableRequestDouble {
  func _including(all association: _SQLAssociation) -> Self { self }
  func _including(optional association: _SQLAssociation) -> Self { self }
  func _including(required association: _SQLAssociation) -> Self { self }
  func _joining(optional association: _SQLAssociation) -> Self { self }
  func _joining(required association: _SQLAssociation) -> Self { self }
}
nonisolated extension DerivableRequestDouble {
  func _including(all association: _SQLAssociation) -> Self { self }
  func _including(optional association: _SQLAssociation) -> Self { self }
  func _including(required association: _SQLAssociation) -> Self { self }
  func _joining(optional association: _SQLAssociation) -> Self { self }
  func _joining(required association: _SQLAssociation) -> Self { self }
  func _aliased(_ alias: TableAliasBase) -> Self { self }
}
nonisolated extension TableRequestDouble {
  func _aliased(_ alias: TableAliasBase) -> Self { self }
}

nonisolated extension RowAdapterDouble {
  func _layoutedAdapter(from layout: some _RowLayout) throws -> any _LayoutedRowAdapter {
    try SuffixRowAdapter(fromIndex: 0)._layoutedAdapter(from: layout)
  }
}

nonisolated extension DatabaseCursorDouble {
  var _isDone: Bool {
    get { true }
    set {}
  }
  var _statement: Statement {
    try! DatabaseQueue().unsafeReentrantRead { try $0.makeStatement(sql: "SELECT 1") }
  }
  func _element(sqliteStatement: SQLiteStatement) throws -> Element {
    throw DatabaseError(resultCode: .SQLITE_DONE)
  }
}

nonisolated extension DatabaseReaderDouble {
  func _add<Reducer: ValueReducer>(
    observation: ValueObservation<Reducer>,
    scheduling scheduler: some ValueObservationScheduler,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable { AnyDatabaseCancellable {} }
}
nonisolated extension DatabaseSnapshotReaderDouble {
  func _add<Reducer: ValueReducer>(
    observation: ValueObservation<Reducer>,
    scheduling scheduler: some ValueObservationScheduler,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable { AnyDatabaseCancellable {} }
}
nonisolated extension DatabaseWriterDouble {
  func _add<Reducer: ValueReducer>(
    observation: ValueObservation<Reducer>,
    scheduling scheduler: some ValueObservationScheduler,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable { AnyDatabaseCancellable {} }
}
