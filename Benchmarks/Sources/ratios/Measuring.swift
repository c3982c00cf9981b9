import Foundation
import Workloads

// How noise is kept out: all workloads take turns, round by round, so that a busy moment hits a
// floor as it hits what stands on it; of all rounds the fastest counts, which is the one that was
// disturbed least. Between rounds the heap is shifted: where an object happens to lie changes the
// price of allocating it by up to 15 ns.

struct Row {
  let workload: Workload
  /// The cost of one operation.
  let cost: Double
  /// The cost compared with the floor's.
  var ratio: Double?
}

func measure(_ workloads: [Workload], rounds: Int) -> [Row] {
  var best = [Double](repeating: .infinity, count: workloads.count)
  let clock = ContinuousClock()
  var shift: [UnsafeMutableRawPointer] = []
  for workload in workloads { workload.run(min(workload.count, 1_000)) }
  for _ in 0..<rounds {
    for (index, workload) in workloads.enumerated() {
      let duration = clock.measure { workload.run(workload.count) }.components
      let nanoseconds = Double(duration.seconds) * 1e9 + Double(duration.attoseconds) * 1e-9
      best[index] = min(best[index], nanoseconds / Double(workload.count))
    }
    for size in stride(from: 16, through: 96, by: 16) {
      if let block = malloc(size) { shift.append(block) }
    }
  }
  for block in shift { free(block) }
  return rows(workloads, best)
}

func rows(_ workloads: [Workload], _ costs: [Double]) -> [Row] {
  let known = Dictionary(uniqueKeysWithValues: zip(workloads.map(\.name), costs))
  return zip(workloads, costs).map { workload, cost in
    Row(
      workload: workload, cost: cost,
      ratio: workload.floor.flatMap { known[$0] }.map { cost / $0 })
  }
}

struct Table {
  let rows: [Row]
  let unit: String

  init(_ rows: [Row], unit: String = "ns") {
    self.rows = rows
    self.unit = unit
  }

  var text: String {
    rows.map { row in
      let ratio = row.ratio.map { "\($0.formatted2) × \(row.workload.floor!)" } ?? "(floor)"
      let goal = row.workload.goal.map {
        "goal \($0.formatted2)\(row.ratio! <= $0 ? "" : ", missed")"
      }
      return [
        row.workload.name.padded(50), row.cost.formatted1.padded(10), ratio, goal ?? "",
      ].joined(separator: " ")
    }.joined(separator: "\n")
  }

  var markdown: String {
    let head = "| what | \(unit) | × its floor | goal | floor |\n|---|---:|---:|---:|---|\n"
    return head
      + rows.map { row in
        let goal = row.workload.goal.map {
          row.ratio! <= $0 ? $0.formatted2 : "\($0.formatted2), missed"
        }
        return "| \(row.workload.name) | \(row.cost.formatted1) "
          + "| \(row.ratio?.formatted2 ?? "") | \(goal ?? "") | \(row.workload.floor ?? "–") |"
      }.joined(separator: "\n")
  }

  var thresholds: Data {
    get throws {
      let pairs = rows.compactMap { row in
        row.ratio.map { (row.workload.name, ($0 * 100).rounded() / 100) }
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return try encoder.encode(Dictionary(uniqueKeysWithValues: pairs))
    }
  }

  /// The rows whose ratio is more than a quarter above what it was.
  func worse(than known: [String: Double]) -> [Row] {
    rows.filter { row in
      guard let ratio = row.ratio, let before = known[row.workload.name] else { return false }
      return ratio > before * 1.25
    }
  }
}

extension Double {
  var formatted1: String { String(format: "%.1f", self) }
  var formatted2: String { String(format: "%.2f", self) }
}

extension String {
  func padded(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
