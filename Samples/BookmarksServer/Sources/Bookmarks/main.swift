import BookmarksKit
public import DIContainer
import Foundation

extension Resolver: @retroactive ResolverRegistering {
  /// Wires the server, once, before anything is resolved.
  public static func registerAllServices() { wireBookmarks() }
}

do {
  try await BookmarksApp.run()
} catch is ValidationError {
  exit(1)
} catch {
  FileHandle.standardError.write(Data("Bookmarks: \(error)\n".utf8))
  exit(2)
}
