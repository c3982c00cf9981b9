import Workloads

// How noise is kept out: all workloads take turns, round by round, so that a busy moment hits a
// floor as it hits what stands on it; rounds are short and many; and of all rounds the median
// counts. Not the fastest: in some rounds, none to a tenth of a run, making and freeing any object
// takes 21 ns less than in all others (a bare initialiser 15 ns and not 37, whatever lies where on
// the heap), and the fastest would be one of those.

struct Row {
  let workload: Workload
  /// The cost of one operation.
  let cost: Double
  /// The cost of the floor.
  let floor: Double?

  /// The cost compared with the floor's.
  var ratio: Double? { floor.map { cost / $0 } }
  var isMissed: Bool { workload.goal.map { ratio! > $0 } ?? false }
}

/// The cost of an operation of each workload, in nanoseconds.
func measure(_ workloads: [Workload], rounds: Int) -> [Row] {
  var costs = [[Double]](repeating: [], count: workloads.count)
  for workload in workloads { workload.run(min(workload.count, 1_000)) }
  for round in 0..<rounds {
    for (index, workload) in workloads.enumerated() {
      // What takes long has calm and busy moments in each of its rounds.
      let isLong = costs[index].last.map { $0 * Double(workload.count) > 3e6 } ?? false
      if isLong, round % 10 != 0 { continue }
      costs[index].append(
        nanoseconds { workload.run(workload.count) } / Double(workload.count))
    }
  }
  return rows(workloads, costs.map(median))
}

/// Shows how the times of workloads spread over many rounds: to compare two builds.
func printPercentiles(_ workloads: [Workload]) {
  var costs = [[Double]](repeating: [], count: workloads.count)
  for _ in 0..<2_000 {
    for (index, workload) in workloads.enumerated() {
      let count = min(workload.count, 1_000)
      costs[index].append(nanoseconds { workload.run(count) } / Double(count))
    }
  }
  for (workload, costs) in zip(workloads, costs) {
    let sorted = costs.sorted()
    let shown = [10, 25, 50].map { percent in
      "\(percent) %: " + String(format: "%.1f", sorted[sorted.count * percent / 100])
    }
    print(workload.name, shown.joined(separator: "  "), separator: "  ")
  }
}

private func median(_ costs: [Double]) -> Double { costs.sorted()[costs.count / 2] }

/// How long something takes.
func nanoseconds(_ body: () -> Void) -> Double {
  let duration = ContinuousClock().measure(body).components
  return Double(duration.seconds) * 1e9 + Double(duration.attoseconds) * 1e-9
}

func rows(_ workloads: [Workload], _ costs: [Double]) -> [Row] {
  let known = Dictionary(uniqueKeysWithValues: zip(workloads.map(\.name), costs))
  return zip(workloads, costs).map { workload, cost in
    Row(workload: workload, cost: cost, floor: workload.floor.flatMap { known[$0] })
  }
}
