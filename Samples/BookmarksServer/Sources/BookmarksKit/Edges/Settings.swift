import Configuration

/// The settings that the environment may change: `BOOKMARKS_PORT=8081`, and so on.
public struct Settings: Sendable {
  /// The address to listen on.
  public let host: String
  /// The port to listen on; 0 for any that is free.
  public let port: Int
  /// The database's file.
  public let database: String
  /// How long the link checker waits before it tries a link that failed again.
  public let retryDelay: Duration

  /// Creates settings.
  public init(
    host: String = "127.0.0.1", port: Int = 8080, database: String = "bookmarks.sqlite",
    retryDelay: Duration = .seconds(30)
  ) {
    self.host = host
    self.port = port
    self.database = database
    self.retryDelay = retryDelay
  }

  init(_ config: ConfigReader) {
    let standard = Settings()
    self.init(
      host: config.string(forKey: "bookmarks.host", default: standard.host),
      port: config.int(forKey: "bookmarks.port", default: standard.port),
      database: config.string(forKey: "bookmarks.database", default: standard.database),
      retryDelay: .seconds(config.int(forKey: "bookmarks.retry-seconds", default: 30)))
  }
}
