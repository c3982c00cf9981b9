public import DIContainer

/// What bookmarks are made of, given the edges and a request.
public struct BookmarksAssembly: Assembly {
  /// The services that it registers.
  public static var services: [Any.Type] {
    [Bookmarks.self, User.self, LinkQueue.self, LinkChecker.self]
  }

  /// Creates the assembly.
  public init() {}

  /// Registers the services of a request, and the background job.
  public func assemble(container: Container) {
    // A request's container is asked for these: it keeps them, and has what they need.
    container.register { (credentials: Credentials, transaction: Transaction) in
      try User.signedIn(with: credentials, transaction)
    }.scope(.container)
    container.register(Bookmarks.init)

    container.register(LinkQueue.init).scope(.application)
    container.register(LinkChecker.init)
  }
}
