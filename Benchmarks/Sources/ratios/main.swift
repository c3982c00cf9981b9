import Foundation
import Workloads

// Measures every workload and compares it with its floor; README.md tells what and how.

let usage = """
  swift run -c release ratios                 the table of times
  swift run -c release ratios --markdown      the same for a page, what has a goal; with --all, all
  swift run -c release ratios --publish       puts it on the pages that show it
  swift run -c release ratios --check         fails above both the goal and 1.25 × thresholds.json
  swift run -c release ratios --thresholds    writes thresholds.json
  swift run -c release ratios --instructions [--markdown [--all] | --check | --thresholds]
                                              the same in instructions, with instructions.json
  swift run -c release ratios --allocations   fails if anything allocates more than it may
  swift run -c release ratios --memory        fails if memory grows over millions of cycles
  swift run -c release ratios --plot          writes cost-over-size.svg
  swift run -c release ratios --time NAME…    the spread of the times of single workloads
  swift run -c release ratios --only NAME N   runs one workload N times, for a profiler
  """

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
let known: Set = [
  "--markdown", "--all", "--publish", "--check", "--thresholds", "--instructions", "--allocations",
  "--memory", "--plot",
]
guard ["--only", "--time"].contains(arguments.first) || known.isSuperset(of: arguments) else {
  fail("I know only these:\n\(usage)")
}

switch arguments.first {
case "--only":
  guard arguments.count == 3, let count = Int(arguments[2]) else { fail(usage) }
  guard let workload = workload(named: arguments[1]) else {
    fail("there is no workload \(arguments[1])")
  }
  workload.run(count)
case "--time":
  let chosen = arguments.dropFirst().map { name in
    guard let workload = workload(named: name) else { fail("there is no workload \(name)") }
    return workload
  }
  printPercentiles(chosen)
case "--memory":
  exit(checkMemory() ? 0 : 1)
case "--plot":
  try plotCosts().write(
    to: folder.appending(path: "cost-over-size.svg"), atomically: true, encoding: .utf8)
case "--allocations":
  exit(try checkAllocations(countableWorkloads().filter { $0.allocations != nil }) ? 0 : 1)
case "--instructions":
  let file = folder.appending(path: "instructions.json")
  let before = arguments.contains("--check") ? try thresholds(in: file) : [:]
  let table = Table(try countInstructions(countableWorkloads()), unit: "instructions")
  show(table)
  if arguments.contains("--thresholds") { try table.writeThresholds(to: file) }
  if arguments.contains("--check") {
    let worse = table.worse(than: before)
    exit(table.isAsGood(as: before, worse: worse, file: file.lastPathComponent) ? 0 : 1)
  }
default:
  let file = folder.appending(path: "thresholds.json")
  let before = arguments.contains("--check") ? try thresholds(in: file) : [:]
  let workloads = allWorkloads()
  let table = Table(measure(workloads, rounds: 200))
  show(table)
  if arguments.contains("--publish") {
    try publish(table, in: folder.deletingLastPathComponent())
  }
  if arguments.contains("--thresholds") { try table.writeThresholds(to: file) }
  if arguments.contains("--check") {
    var worse = table.worse(than: before)
    // The machine may have been busy: what looks worse is measured again before it counts.
    for _ in 0..<3 where !worse.isEmpty {
      let names = Set(worse.map(\.workload.name))
      let needed = names.union(worse.compactMap(\.workload.floor))
      let again = measure(workloads.filter { needed.contains($0.name) }, rounds: 400)
      worse = Table(again).worse(than: before).filter { names.contains($0.workload.name) }
    }
    exit(table.isAsGood(as: before, worse: worse, file: file.lastPathComponent) ? 0 : 1)
  }
}

func show(_ table: Table) {
  if arguments.contains("--markdown") {
    let showsAll = arguments.contains("--all")
    print(table.markdown { showsAll || $0.workload.goal != nil })
  } else {
    print(table.text)
  }
}
