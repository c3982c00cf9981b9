import Foundation

/// The clock of the machine, in UTC.
public struct SystemClock: StoreClock {
  /// Creates a clock.
  public init() {}

  /// The present day in UTC.
  public var today: CalendarDate {
    let seconds = Int(Date().timeIntervalSince1970.rounded(.down))
    return CalendarDate(dayNumber: (seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
  }
}
