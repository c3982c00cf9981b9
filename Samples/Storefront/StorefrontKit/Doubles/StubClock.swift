/// A clock that stands still.
public struct StubClock: StoreClock, Sendable {
  /// The day that it always answers.
  public let today: CalendarDate

  /// Creates a clock.
  public init(today: CalendarDate) {
    self.today = today
  }
}
