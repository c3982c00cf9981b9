/// The end of a run; the raw value is the exit status of the program.
public enum Outcome: Int32, Hashable, Sendable {
  /// All orders were charged.
  case success = 0

  /// Some lines were no orders, or some orders could not be priced or charged.
  case incomplete = 1

  /// The arguments were wrong, or the orders could not be read.
  case unusable = 2
}
