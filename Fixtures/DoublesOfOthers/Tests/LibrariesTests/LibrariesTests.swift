import Crypto
import DITesting
import GRDB
import GRPCCore
import Testing
import _RopeModule

/// Doubles of protocols that were not written for this; `.ci/doubles` generates them.
@Suite(.sandbox) nonisolated struct LibrariesTests {
  @Test("A database that cannot be read throws, and one that can calls what reads it")
  func database() throws {
    let reader = DatabaseReaderDouble()
    reader.readDatabaseThrowsT.throws(DatabaseError(resultCode: .SQLITE_CANTOPEN))
    #expect(throws: DatabaseError.self) {
      try reader.read { try Int.fetchOne($0, sql: "SELECT 1") }
    }

    let queue = try DatabaseQueue()
    try queue.unsafeReentrantRead { database throws in
      let connection = ObjectIdentifier(database)
      reader.readDatabaseThrowsT.returns { queue.unsafeReentrantRead { $0 } }
      #expect(try reader.read { ObjectIdentifier($0) } == connection)
      #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
    }
    expectCalled(reader.readDatabaseThrowsT, times: 3)
  }

  @Test("An observer of transactions hears what a real database does")
  func observer() throws {
    let observer = TransactionObserverDouble()
    observer.observes.returns(true)
    let queue = try DatabaseQueue()
    queue.add(transactionObserver: observer)
    try queue.write { try $0.execute(sql: "CREATE TABLE item (name); INSERT INTO item VALUES (1)") }
    expectCalled(observer.databaseDidChange, times: 1) { $0.tableName == "item" }
    expectCalled(observer.databaseDidCommit, times: 1)
    expectNotCalled(observer.databaseDidRollback)
  }

  @Test("A hash function returns the digest that it was told")
  func hash() {
    let function = HashFunctionDouble<DigestDouble>()
    let digest = DigestDouble()
    function.finalizeStub.returns(digest)
    #expect(function.finalize() == digest)
    [1, 2].withUnsafeBytes { function.update(bufferPointer: $0) }
    expectCalled(function.update, times: 1)
  }

  @Test("An interceptor of calls throws what it was told to")
  func interceptor() async throws {
    let interceptor = ClientInterceptorDouble()
    interceptor.intercept.throws(RPCError(code: .unavailable, message: "sold out"))
    await #expect(throws: RPCError.self) {
      let _: StreamingClientResponse<Int> = try await interceptor.intercept(
        request: StreamingClientRequest(of: Int.self) { _ in },
        context: ClientContext(
          descriptor: MethodDescriptor(fullyQualifiedService: "shop", method: "buy"),
          remotePeer: "shop", localPeer: "app")
      ) { _, _ in throw CancellationError() }
    }
    expectCalled(interceptor.intercept, times: 1) { $0.context.descriptor.method == "buy" }
  }

  @Test("A summary of a rope hears what is added to it")
  func summary() {
    let (summary, other) = (RopeSummaryDouble(), RopeSummaryDouble())
    #expect(summary.adding(other) == summary)
    expectCalled(summary.add, times: 1) { $0 == other }
    expectNotCalled(summary.subtract)
  }
}
