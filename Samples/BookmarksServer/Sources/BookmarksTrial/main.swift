import BookmarksDoubles
import BookmarksKit
public import DIContainer
import Foundation
import SandboxServer

// The server that a test starts as a process: the same, but that it may come up with doubles.

extension Resolver: @retroactive ResolverRegistering {
  /// Wires the server, once, before anything is resolved.
  public static func registerAllServices() { wireBookmarks() }
}

do {
  try ScenarioStage.open(from: ProcessInfo.processInfo.environment, among: [OfflineWeb.self])
  try await BookmarksApp.run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
