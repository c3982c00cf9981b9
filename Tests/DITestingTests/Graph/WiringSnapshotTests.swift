@testable import DITesting
import Foundation
import Testing

private final class Clock {}
private final class Ledger {
  init(clock: Clock) {}
}

private func shop() -> Resolver {
  let shop = Resolver()
  shop.register(Clock.init)
  shop.register(Ledger.init).scope(.cached)
  return shop
}

/// A folder that goes with the test.
private final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  func text(_ name: String) -> String? {
    try? String(contentsOfFile: path + "/\(name).txt", encoding: .utf8)
  }

  func write(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: path + "/\(name).txt", atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

private let graphText = """
  Ledger  — cached, container made at DITestingTests/WiringSnapshotTests.swift
    Clock  — graph, container made at DITestingTests/WiringSnapshotTests.swift

  """

@Suite struct WiringSnapshotTests {
  @Test func `A new wiring is written, and fails once`() {
    let folder = Folder()
    withKnownIssue {
      expectWiring(of: shop().graph, matches: "shop", in: folder.path)
    } matching: {
      $0.comments == [
        """
        The wiring was not on file. It has been written: look at it, and run the test again.

          file:  \(folder.path)/shop.txt

        To fix this:
          - Commit the file if it is as intended.
        """
      ]
    }
    #expect(folder.text("shop") == graphText)
    expectWiring(of: shop().graph, matches: "shop", in: folder.path)
  }

  @Test func `A wiring that has changed is shown line by line`() throws {
    let folder = Folder()
    try folder.write("shop", graphText.replacingOccurrences(of: "cached", with: "unique"))
    withKnownIssue {
      expectWiring(of: shop().graph, matches: "shop", in: folder.path)
    } matching: {
      $0.comments == [
        """
        The wiring differs from its file.

          file:  \(folder.path)/shop.txt

        To fix this:
          - If the change is meant, run the test with `DITESTING_UPDATE_WIRINGS=1` and commit the file.

        - Ledger  — unique, container made at DITestingTests/WiringSnapshotTests.swift
        + Ledger  — cached, container made at DITestingTests/WiringSnapshotTests.swift
            Clock  — graph, container made at DITestingTests/WiringSnapshotTests.swift
        """
      ]
    }
  }

  @Test func `A wiring whose folder is not named is in Wirings, beside the test`() {
    let folder = Folder()
    let location = CodeLocation(
      fileID: "ShopTests/ShopTests.swift", filePath: folder.path + "/ShopTests.swift", line: 1,
      column: 1)
    withKnownIssue {
      WiringSnapshot("shop", in: nil, location).compare("new")
    } matching: {
      $0.comments.first?.rawValue.contains("\n  file:  Wirings/shop.txt\n") ?? false
    }
    #expect(folder.text("Wirings/shop") == "new\n")
  }

  @Test func `A wiring that cannot be written is an issue that says why`() throws {
    let folder = Folder()
    try folder.write("occupied", "")
    // What is to be the folder is a file.
    let path = folder.path + "/occupied.txt"
    let error = #expect(throws: (any Error).self) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let reason = try #require(error).localizedDescription
    withKnownIssue {
      expectWiring(of: shop().graph, matches: "shop", in: path + "/")
    } matching: {
      $0.comments == [
        """
        The wiring was not on file, and cannot be written: \(reason)

          file:  \(path)/shop.txt

        To fix this:
          - Make the folder writable, or name another with `in:`.
        """
      ]
    }
  }

  @Test func `Line ends of another system make no difference`() throws {
    let folder = Folder()
    try folder.write("shop", graphText.replacingOccurrences(of: "\n", with: "\r\n"))
    expectWiring(of: shop().graph, matches: "shop", in: folder.path)
  }

  @Test func `A line number is left out also where the name of the file has a space`() throws {
    let folder = Folder()
    let text = "Clock  — graph, container made at ShopTests/The Shop.swift"
    try folder.write("shop", "\(text), closure\n")
    WiringSnapshot("shop", in: folder.path, CodeLocation()).compare("\(text):12, closure")
  }

  @Test func `Updating writes, and does not fail`() throws {
    let folder = Folder()
    try folder.write("shop", "old\n")
    WiringSnapshot("shop", in: folder.path, CodeLocation(), isUpdating: true).compare("new")
    #expect(folder.text("shop") == "new\n")
    WiringSnapshot("other", in: folder.path, CodeLocation(), isUpdating: true).compare("new")
    #expect(folder.text("other") == "new\n")
  }

  @Test(.recorded) func `A recorded run is compared too`() throws {
    let folder = Folder()
    let shop = shop()
    _ = shop.resolve(Ledger.self) as Ledger
    try folder.write(
      "run",
      """
      Ledger  — created live, cached, container made at DITestingTests/WiringSnapshotTests.swift
        Clock  — created live, graph, container made at DITestingTests/WiringSnapshotTests.swift

      """)
    expectWiring(matches: "run", in: folder.path)
  }
}

@Suite struct ValidationTraitTests {
  @Test(
    .compactMapIssues { issue in
      // And nothing is said about its double, which was never used.
      #expect(issue.comments.first?.rawValue.contains("Nothing is registered for `Clock`.") == true)
      return nil
    }, .sandbox { $0.register(Ledger.init) }, .validated)
  func `A test whose wiring is wrong fails before it runs`() {
    Issue.record("The body ran.")
  }

  @Test(
    .compactMapIssues { issue in
      // And nothing is said about what was to be real, which nothing resolved.
      #expect(issue.comments.first?.rawValue.contains("Nothing is registered for `Clock`.") == true)
      return nil
    }, .sandbox { $0.register(Ledger.init) }, .sociable(real: Clock.self), .validated)
  func `A sociable test whose wiring is wrong reports that alone`() {
    Issue.record("The body ran.")
  }

  @Test(
    .sandbox {
      $0.register(Clock.init)
      $0.register(Ledger.init)
    }, .validated(roots: [Ledger.self], dryRun: true))
  func `A test whose wiring is sound runs`() {
    #expect(Resolver.optional(Ledger.self) != nil)
  }
}
