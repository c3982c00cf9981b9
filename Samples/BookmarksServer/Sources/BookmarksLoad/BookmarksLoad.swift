import AsyncHTTPClient
import BookmarksKit
public import DIContainer
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The cost of the container in a request: the same request over loopback, from 64 connections,
/// with a container per request and wired by hand, in turns.
///
/// `BookmarksLoad 10` takes turns of ten seconds.
@main
enum BookmarksLoad {
  static let file = NSTemporaryDirectory() + "bookmarks-load-\(UUID().uuidString).sqlite"
  /// So many that nothing but what stays of requests takes memory in each.
  private static let rounds = 8

  static func main() async {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Load.connections
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      try await measure(client, turn: seconds)
    } catch {
      print("error: \(error)")
      exit(1)
    }
  }

  private static func measure(_ client: HTTPClient, turn seconds: Int) async throws {
    // Everything is made, and the allocator has its pages, before anything is measured.
    _ = try await byContainer(client, .seconds(2))
    _ = try await byHand(client, .seconds(1))

    var hand = Load.Times()
    var container = Load.Times()
    var memory: [Int] = []
    for _ in 0..<rounds {
      hand.add(try await byHand(client, .seconds(seconds)))
      container.add(try await byContainer(client, .seconds(seconds)))
      memory.append(residentKilobytes() / 1024)
    }
    print("\(Load.connections) connections, \(container.total) requests with a container each")
    print("  wired by hand:  \(hand.row(per: rounds * seconds))")
    print("  by container:   \(container.row(per: rounds * seconds))")
    print("  memory:         \(memory.map { "\($0)" }.joined(separator: " → ")) MiB")

    try await client.shutdown()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
    // What stays of requests adds up in every round, at more than a KiB for a container. The
    // allocator takes its arenas once, whenever it happens to need another.
    let growth = zip(memory.dropFirst(), memory).map(-).min() ?? 0
    if growth > 1 + container.total / rounds / 4096 {
      print("error: memory grew with the number of requests")
      exit(1)
    }
  }

  private static func byContainer(
    _ client: HTTPClient, _ length: Duration
  ) async throws -> Load.Times {
    try await serving { running in
      try BookmarksApp.make(onServerRunning: running)
    } operation: {
      try await Load(client: client, url: $0).run(for: length)
    }
  }

  private static func byHand(
    _ client: HTTPClient, _ length: Duration
  ) async throws -> Load.Times {
    let store = try await Resolver.root.requireAsync(Store.self)
    return try await serving { running in
      Application(
        router: HandWired.router(store: store, clock: Resolver.resolve()),
        configuration: .init(address: .hostname("127.0.0.1", port: 0)), onServerRunning: running,
        logger: Resolver.resolve())
    } operation: {
      try await Load(client: client, url: $0).run(for: length)
    }
  }

  /// Runs a server while an operation gets the address of its bookmarks.
  private static func serving(
    _ make: (@escaping @Sendable (any Channel) async -> Void) throws -> any ApplicationProtocol,
    operation: @Sendable (_ url: String) async throws -> Load.Times
  ) async throws -> Load.Times {
    let (ports, running) = AsyncStream<Int>.makeStream()
    let app = try make { running.yield($0.localAddress?.port ?? 0) }
    let group = ServiceGroup(services: [app], logger: Resolver.resolve())
    async let served: Void = group.run()
    let port = await ports.first { _ in true } ?? 0
    let times = try await operation("http://127.0.0.1:\(port)/bookmarks")
    await group.triggerGracefulShutdown()
    try await served
    // As at the end of the process: the next server gets a queue and a web client of its own.
    Scope.application.reset()
    return times
  }
}

extension Resolver: @retroactive ResolverRegistering {
  /// Wires the server as it is, on a database of its own.
  public static func registerAllServices() {
    wireBookmarks()
    register { Settings(port: 0, database: BookmarksLoad.file) }
    register {
      var logger = Logger(label: "load")
      logger.logLevel = .error
      return logger
    }
  }
}

extension Load.Times {
  /// The times as a line of the report.
  func row(per seconds: Int) -> String {
    let slowest = percentile99 / .milliseconds(1)
    return "\(total / seconds) requests/s, 99 % within \(slowest.formatted()) ms"
  }
}
