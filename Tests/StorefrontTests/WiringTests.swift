import DITesting
import Foundation
import StorefrontKit
import Testing

/// How the shop is wired.
///
/// The file also says which protocols are doubled. `UPDATE_WIRINGS=1` writes it anew.
@Suite(.sandbox { _ in Resolver.production { Resolver.wireStorefront() } }, .boundaries)
struct WiringTests {
  @Test("The shop is wired as it stands on file")
  func wiring() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Wirings/storefront.txt")
    // Without the lines at which containers are made, so that editing a file changes nothing.
    let wiring = Resolver.main.graph.description.replacing(#/:\d+/#, with: "") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_WIRINGS"] != nil {
      try wiring.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == wiring)
  }
}
