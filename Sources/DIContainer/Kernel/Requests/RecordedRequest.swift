/// The event of a request that is in progress.
///
/// A class: the standard clock's instant would make each value that holds it one of unknown size.
final class RecordedRequest {
  let number: UInt64
  let start = ContinuousClock.now
  /// The positions in the frame's recorders, innermost first.
  let positions: [Int]

  init(number: UInt64, positions: [Int]) {
    self.number = number
    self.positions = positions
  }
}
