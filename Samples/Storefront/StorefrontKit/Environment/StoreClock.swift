/// A service that knows what day it is.
public protocol StoreClock {
  /// The present day.
  var today: CalendarDate { get }
}
