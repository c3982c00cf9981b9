import Workloads

// How noise is kept out: all workloads take turns, round by round, so that a busy moment hits a
// floor as it hits what stands on it; rounds are short and many; and of all rounds the fastest
// counts, which is the one that was disturbed least. A busy neighbour matters more than anything
// else: where two cores share their units, the same loop takes 15 ns a turn or 36 (measured; where
// its objects lie on the heap made no difference).

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
  var best = [Double](repeating: .infinity, count: workloads.count)
  for workload in workloads { workload.run(min(workload.count, 1_000)) }
  for round in 0..<rounds {
    for (index, workload) in workloads.enumerated() {
      // What takes long has been undisturbed for some of the time in any case.
      let isLong = best[index] * Double(workload.count) > 3e6
      if isLong, round % 10 != 0 { continue }
      best[index] = min(
        best[index], nanoseconds { workload.run(workload.count) } / Double(workload.count))
    }
  }
  return rows(workloads, best)
}

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
