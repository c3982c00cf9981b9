// What is measured. A workload is one thing that users do, done `count` times in a row; its floor
// is the least that anybody could do for the same result, measured in the same process.

/// Something that users do, many times.
public struct Workload {
  /// What the table calls it.
  public let name: String
  /// The workload that this one is compared with; nil for floors.
  public let floor: String?
  /// The ratio to the floor to reach, if there is one.
  public let goal: Double?
  /// How many operations one call to `run` is worth measuring with.
  public let count: Int
  /// Does it as often as it is told.
  public let run: (_ count: Int) -> Void

  /// Creates a workload.
  public init(
    _ name: String, floor: String? = nil, goal: Double? = nil, count: Int = 20_000,
    run: @escaping (Int) -> Void
  ) {
    self.name = name
    self.floor = floor
    self.goal = goal
    self.count = count
    self.run = run
  }
}

/// Keeps the optimiser from dropping what made `value`.
@inline(__always)
func use<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

/// All workloads, floors first.
public func allWorkloads() -> [Workload] {
  floors() + byType() + byKeyPath() + nested() + manyTypes() + inScopes() + threads()
}
