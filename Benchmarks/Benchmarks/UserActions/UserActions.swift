import Benchmark
import Workloads

// Every workload under ordo-one/benchmark, floors among them. It counts no allocations here:
// without jemalloc its malloc counts read 0 and say nothing.

let benchmarks: @Sendable () -> Void = {
  for workload in allWorkloads() {
    Benchmark(
      workload.name,
      configuration: .init(
        metrics: [.wallClock, .throughput], warmupIterations: 3,
        scalingFactor: workload.count >= 1_000 ? .kilo : .one, maxDuration: .milliseconds(300))
    ) { benchmark in
      workload.run(benchmark.scaledIterations.count)
    }
  }
}
