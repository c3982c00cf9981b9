// What is measured. A workload is one thing that users do, done `count` times in a row; its floor
// is the least that anybody could do for the same result, measured in the same process.

/// Something that users do, many times.
public struct Workload {
  /// What is done, in words: unique among workloads.
  public let name: String
  /// The workload that this one is compared with; nil for floors.
  public let floor: String?
  /// The ratio to the floor to reach, if there is one.
  public let goal: Double?
  /// How many operations one call to `run` is worth measuring with.
  public let count: Int
  /// How many heap allocations an operation may make, if that is promised.
  public let allocations: Int?
  /// Does it so many times.
  public let run: (_ count: Int) -> Void

  init(
    _ name: String, floor: String? = nil, goal: Double? = nil, count: Int = 5_000,
    allocations: Int? = nil, run: @escaping (Int) -> Void
  ) {
    self.name = name
    self.floor = floor
    self.goal = goal
    self.count = count
    self.allocations = allocations
    self.run = run
  }
}

/// Keeps the optimiser from dropping what made `value`.
@inline(__always)
func use<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

// Made when asked for: setting up ten thousand types takes a while.
private let groups: [@Sendable () -> [Workload]] = [
  floors, byType, byKeyPath, wrappers, nested, inScopes, byKeyPathInScopes, isolated, threads,
  manyTypes, large,
]

/// All workloads, floors first.
public func allWorkloads() -> [Workload] { groups.flatMap { $0() } }

/// Those that one thread does with few types: their instructions can be counted.
public func countableWorkloads() -> [Workload] { groups.dropLast(4).flatMap { $0() } }

/// The workload of a name; sets up no more than needed.
public func workload(named name: String) -> Workload? {
  for group in groups {
    if let found = group().first(where: { $0.name == name }) { return found }
  }
  return nil
}
