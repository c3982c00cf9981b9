import AsyncHTTPClient
import Configuration
public import DIContainer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Everything that reaches outside the process: what a test puts doubles in the place of.
public struct EdgesAssembly: Assembly {
  /// Creates the assembly.
  public init() {}

  /// Registers the live edges; each is made when it is first asked for.
  public func assemble(container: Container) {
    container.register { ConfigReader(provider: EnvironmentVariablesProvider()) }
    container.register { (config: ConfigReader) in Settings(config) }.scope(.application)
    container.register { Logger(label: "bookmarks") }.scope(.application)
    container.register { SystemClock() as any WallClock }
    container.register { MultiThreadedEventLoopGroup.singleton as any EventLoopGroup }
    container.register { LiveWebClient() as any WebClient }.scope(.application)
    container.registerAsync { (settings: Settings) in try Store(path: settings.database) }
      .scope(.application).onRelease { $0.close() }
  }
}
