public import DIContainer
import Foundation
public import Hummingbird
import Logging
public import NIOCore
import ServiceLifecycle

/// The server: how it is checked, started, put together and shut down.
public enum BookmarksApp {
  /// Checks the wiring, and writes all that is found to standard error.
  ///
  /// - Throws: `ValidationError` if something is wrong.
  public static func validate() throws(ValidationError) {
    do {
      let report = try Resolver.requestShape.validate(
        roots: [Bookmarks.self, LinkChecker.self])
      if !report.findings.isEmpty { write(report.description) }
    } catch {
      write(error.description)
      throw error
    }
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// Puts the server together.
  ///
  /// - Parameters:
  ///   - middleware: What stands before all else; tests have their reasons.
  ///   - onServerRunning: Gets the channel that the server listens on.
  /// - Throws: `ResolutionError` if something that it needs cannot be made.
  /// - Returns: The server with its background services, to be run.
  public static func make(
    behind middleware: [any MiddlewareProtocol<Request, Response, BookmarksContext>] = [],
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    let settings = try Resolver.root.require(Settings.self)
    let router = Router(context: BookmarksContext.self)
    for middleware in middleware { router.add(middleware: middleware) }
    let checker = try Resolver.root.require(LinkChecker.self)
    router.addBookmarks(checkedBy: checker.queue)
    // They end in the reverse order: requests first, then the job, then what both of them use.
    let client = try Resolver.root.require((any WebClient).self)
    let services = [client as? any Service, checker].compactMap { $0 }
    return Application(
      router: router,
      configuration: .init(address: .hostname(settings.host, port: settings.port)),
      services: services,
      onServerRunning: onServerRunning,
      logger: try Resolver.root.require())
  }

  /// Checks the wiring, opens the database, serves until a signal comes, and closes what it opened.
  public static func run() async throws {
    try validate()
    // However it ends, what is kept is released, and closed with that.
    defer { Scope.application.reset() }
    _ = try await Resolver.root.requireAsync(Store.self)
    try await make(onServerRunning: { channel in
      let address = channel.localAddress.map { "\($0.ipAddress ?? ""):\($0.port ?? 0)" } ?? ""
      write("Bookmarks at http://\(address)")
    }).runService()
  }
}
