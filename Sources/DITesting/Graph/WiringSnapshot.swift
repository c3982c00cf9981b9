#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// A text file with a recorded or declared wiring.
struct WiringSnapshot {
  private let file: URL
  /// The path of the file as the caller specified it.
  private let shownPath: String
  private let location: CodeLocation
  private let isUpdating: Bool

  init(
    _ name: String, in directory: String?, _ location: CodeLocation,
    isUpdating: Bool = ProcessInfo.processInfo.environment["DITESTING_UPDATE_WIRINGS"] != nil
  ) {
    let folder =
      directory.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? URL(fileURLWithPath: location.filePath).deletingLastPathComponent()
      .appendingPathComponent("Wirings", isDirectory: true)
    file = folder.appendingPathComponent(name + ".txt")
    let shownFolder = directory ?? "Wirings"
    shownPath = shownFolder + (shownFolder.hasSuffix("/") ? "" : "/") + name + ".txt"
    self.location = location
    self.isUpdating = isUpdating
  }

  func compare(_ wiring: String) {
    let wiring = Self.withoutLines(wiring) + "\n"
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    guard let recorded else {
      guard write(wiring), !isUpdating else { return }
      report(
        "The wiring was not on file. It has been written: look at it, and run the test again.",
        fixes: ["Commit the file if it is as intended."])
      return
    }
    // A checkout may convert line ends.
    if recorded.replacingOccurrences(of: "\r\n", with: "\n") == wiring { return }
    if isUpdating {
      _ = write(wiring)
      return
    }
    report(
      "The wiring differs from its file.",
      fixes: [
        "If the change is meant, run the test with `DITESTING_UPDATE_WIRINGS=1` and commit the "
          + "file."
      ], difference: Self.difference(from: recorded, to: wiring))
  }

  private func write(_ wiring: String) -> Bool {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(wiring.utf8).write(to: file)
      return true
    } catch {
      report(
        "The wiring was not on file, and cannot be written: \(error.localizedDescription)",
        fixes: ["Make the folder writable, or name another with `in:`."])
      return false
    }
  }

  private func report(_ headline: String, fixes: [String], difference: String = "") {
    var text = Diagnosis(
      headline: headline, facts: [("file:", shownPath)], fixes: fixes
    ).text
    if !difference.isEmpty { text += "\n\n" + difference }
    IssueReporter.fail(text, at: location)
  }

  /// Returns a text with "made at Shop.swift:12" without the line number.
  private static func withoutLines(_ text: String) -> String {
    text.replacing(#/( made at [^\n:]+):\d+/#) { $0.1 }
  }

  /// Returns both texts line by line, with removed lines after a minus and new ones after a plus.
  static func difference(from old: String, to new: String) -> String {
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
    let (old, new) = (lines(old), lines(new))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var result: [String] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if removed.contains(left) {
        result.append("- \(old[left])")
        left += 1
      } else if inserted.contains(right) {
        result.append("+ \(new[right])")
        right += 1
      } else {
        result.append("  \(old[left])")
        left += 1
        right += 1
      }
    }
    return result.joined(separator: "\n")
  }
}
#endif
