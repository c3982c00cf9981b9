import DIContainer
import GRDB
public import Hummingbird

/// The number that log lines and errors name a request by.
public struct RequestID: Sendable {
  let text: String

  package init(text: String) { self.text = text }
}

/// The values that Hummingbird passes along with a request.
public struct BookmarksContext: RequestContext {
  /// Hummingbird's own values.
  public var coreContext: CoreRequestContextStorage
  /// Whose request it is, once the middleware knows.
  package var credentials: Credentials?

  /// Creates a request's context.
  public init(source: Source) {
    coreContext = .init(source: source)
  }

  /// Runs a request's work in its transaction, with its container.
  ///
  /// The database runs it on a queue of its own, outside the task: the context goes along.
  func transaction<Result: Sendable>(
    _ work: @escaping @Sendable (_ request: Resolver) throws -> Result
  ) async throws -> Result {
    guard let credentials else { throw HTTPError(.unauthorized) }
    let id = RequestID(text: self.id)
    let context = ResolutionContext.current
    return try await Resolver.root.requireAsync(Store.self).pool.write { db in
      try context.run {
        try work(.request(id, credentials, Transaction(db: db)))
      }
    }
  }
}

/// Reads whose request it is, and refuses it where it does not say.
package struct CredentialsMiddleware: RouterMiddleware {
  package init() {}

  package func handle(
    _ request: Request, context: BookmarksContext,
    next: (Request, BookmarksContext) async throws -> Response
  ) async throws -> Response {
    let words = request.headers[.authorization]?.split(separator: " ") ?? []
    guard words.count == 2, words[0] == "Bearer" else {
      throw HTTPError(.unauthorized, message: "Say who you are: `Authorization: Bearer ada`.")
    }
    var context = context
    context.credentials = Credentials(token: String(words[1]))
    return try await next(request, context)
  }
}
