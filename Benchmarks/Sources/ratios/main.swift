import Foundation
import Workloads

// Measures every workload and compares it with its floor:
//
//   swift run -c release ratios                the table (seconds)
//   swift run -c release ratios --markdown     the table as it stands in README.md
//   swift run -c release ratios --check        also fails if a ratio is 25 % above thresholds.json
//   swift run -c release ratios --thresholds   writes thresholds.json from this run
//   swift run -c release ratios --instructions [--check | --thresholds]
//                                              the same in instructions, counted by valgrind: where
//                                              a machine is too busy to time anything, as CI's is
//   swift run -c release ratios --plot         writes cost-over-size.svg
//   swift run -c release ratios --memory       fails if memory grows over millions of cycles
//   swift run -c release ratios --only NAME N  runs one workload N times, for a profiler

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

switch arguments.first {
case "--memory":
  exit(checkMemory() ? 0 : 1)
case "--plot":
  try plotCosts().write(
    to: folder.appending(path: "cost-over-size.svg"), atomically: true, encoding: .utf8)
case "--only":
  workload(named: arguments[1])?.run(Int(arguments[2])!)
case "--instructions":
  let table = Table(try countInstructions(countableWorkloads()), unit: "instructions")
  print(arguments.contains("--markdown") ? table.markdown : table.text)
  let file = folder.appending(path: "instructions.json")
  if arguments.contains("--thresholds") { try table.thresholds.write(to: file) }
  if arguments.contains("--check") {
    let known = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))
    exit(report(table.worse(than: known), known))
  }
default:
  let workloads = allWorkloads()
  let table = Table(measure(workloads, rounds: 40))
  print(arguments.contains("--markdown") ? table.markdown : table.text)
  let file = folder.appending(path: "thresholds.json")
  if arguments.contains("--thresholds") { try table.thresholds.write(to: file) }
  if arguments.contains("--check") {
    let known = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))
    var worse = table.worse(than: known)
    // The machine may have been busy: what looks worse is measured again before it counts.
    for _ in 0..<3 where !worse.isEmpty {
      let names = Set(worse.map(\.workload.name))
      let needed = names.union(worse.compactMap(\.workload.floor))
      let again = measure(workloads.filter { needed.contains($0.name) }, rounds: 80)
      worse = Table(again).worse(than: known).filter { names.contains($0.workload.name) }
    }
    exit(report(worse, known))
  }
}

func report(_ worse: [Row], _ known: [String: Double]) -> Int32 {
  for row in worse {
    print(
      "worse: \(row.workload.name): \(row.ratio!.formatted2) × \(row.workload.floor!), "
        + "was \(known[row.workload.name]!.formatted2)")
  }
  return worse.isEmpty ? 0 : 1
}
