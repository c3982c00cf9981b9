import AsyncHTTPClient
import Configuration
public import DIContainer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Everything that reaches outside the process: what a test puts doubles in the place of.
///
/// Each edge says which boundary it is behind, so that a test can refuse all of them, or all but
/// some. Event loops are behind none: a test's own sockets need them as well.
public struct EdgesAssembly: Assembly {
  /// Creates the assembly.
  public init() {}

  /// Registers the live edges; each is made when it is first asked for.
  public func assemble(container: Container) {
    container.register { ConfigReader(provider: EnvironmentVariablesProvider()) }
      .boundary("environment")
    container.register { (config: ConfigReader) in Settings(config) }.scope(.application)
    container.register { Logger(label: "bookmarks") }.scope(.application).boundary("terminal")
    container.register { SystemClock() as any WallClock }.boundary("clock")
    container.register { MultiThreadedEventLoopGroup.singleton as any EventLoopGroup }
    container.register { LiveWebClient() as any WebClient }.scope(.application).boundary("web")
    container.registerAsync { (settings: Settings) in try Store(path: settings.database) }
      .scope(.application).onRelease { $0.close() }.boundary("database")
  }
}
