public import Foundation

/// Tells the date.
public protocol WallClock: Sendable {
  /// The current date.
  var now: Date { get }
}

struct SystemClock: WallClock {
  var now: Date { Date() }
}
