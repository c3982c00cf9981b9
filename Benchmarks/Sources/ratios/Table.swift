import Foundation
import Workloads

/// What was measured, beside the floors.
struct Table {
  let rows: [Row]
  let unit: String

  init(_ rows: [Row], unit: String = "ns") {
    self.rows = rows
    self.unit = unit
  }

  /// For a terminal.
  var text: String {
    rows.map { row in
      let ratio = row.ratio.map { "\($0.formatted2) × \(row.workload.floor!)" } ?? "(floor)"
      // Goals are for time.
      let goal = (unit == "ns" ? row.workload.goal : nil).map {
        "goal \($0.formatted2)\(row.isMissed ? ", missed" : "")"
      }
      return [
        row.workload.name.padded(50), row.cost.formatted1.padded(10), ratio, goal ?? "",
      ].joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// For a page: what stands on a floor, of the rows that are wanted.
  func markdown(_ isWanted: (Row) -> Bool) -> String {
    let shown = rows.filter { $0.ratio != nil && isWanted($0) }
    let lines = shown.map { row in
      let goal = row.workload.goal.map { row.isMissed ? "\($0.formatted2), missed" : $0.formatted2 }
      return "| \(row.workload.name) | \(row.cost.formatted1) | \(row.ratio!.formatted2) "
        + "| \(goal ?? "") | \(row.workload.floor!), \(row.floor!.formatted1) |"
    }
    return """
      | what | \(unit) | × its floor | at most | floor, \(unit) |
      |---|---:|---:|---:|---|
      \(lines.joined(separator: "\n"))

      \(Table.machine)
      """
  }

  private static var machine: String {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
      .flatMap { $0.split(separator: ":").last }?.trimmingCharacters(in: .whitespaces)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "One run, on \(cores) cores of \(model ?? "a processor that tells no name")."
  }

  // MARK: What it was before

  func writeThresholds(to file: URL) throws {
    let pairs = rows.compactMap { row in
      row.ratio.map { (row.workload.name, ($0 * 100).rounded() / 100) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = try encoder.encode(Dictionary(uniqueKeysWithValues: pairs))
    try (text + Data("\n".utf8)).write(to: file)
    print("wrote \(file.lastPathComponent)")
  }

  /// The rows whose ratio is more than a quarter above what it was, and above its goal, if any.
  func worse(than known: [String: Double]) -> [Row] {
    rows.filter { row in
      guard let ratio = row.ratio, let before = known[row.workload.name] else { return false }
      return ratio > max(before * 1.25, row.workload.goal ?? 0)
    }
  }

  /// Prints what is worse than it was, and what the file should be written anew for.
  ///
  /// - Returns: Whether nothing is worse.
  func isAsGood(as known: [String: Double], worse: [Row], file: String) -> Bool {
    for row in worse {
      print(
        "worse: \(row.workload.name): \(row.ratio!.formatted2) × \(row.workload.floor!), "
          + "was \(known[row.workload.name]!.formatted2)")
    }
    for row in rows {
      guard let ratio = row.ratio else { continue }
      if let before = known[row.workload.name] {
        guard ratio * 1.25 < before else { continue }
        print(
          "note: \(row.workload.name) is better than in \(file): \(ratio.formatted2), "
            + "was \(before.formatted2)")
      } else {
        print("note: \(row.workload.name) is not in \(file): \(ratio.formatted2)")
      }
    }
    return worse.isEmpty
  }
}

/// The ratios of an earlier run; ends the process if there are none.
func thresholds(in file: URL) throws -> [String: Double] {
  guard let data = try? Data(contentsOf: file) else {
    fail(
      "there is no \(file.lastPathComponent) to check against: write it first, on a quiet machine, "
        + "with the same command and --thresholds in the place of --check")
  }
  do {
    return try JSONDecoder().decode([String: Double].self, from: data)
  } catch {
    fail("\(file.lastPathComponent) cannot be read: \(error)")
  }
}

/// Says what is wrong, and ends the process.
func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("error: \(text)\n".utf8))
  exit(1)
}

extension Double {
  var formatted1: String { String(format: "%.1f", self) }
  var formatted2: String { String(format: "%.2f", self) }
}

extension String {
  func padded(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
