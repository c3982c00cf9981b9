import StorefrontKit
import Testing

/// The days of the calendar.
@Suite struct CalendarDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0, "1970-01-01"), (1969, 12, 31, -1, "1969-12-31"),
    (2000, 2, 29, 11_016, "2000-02-29"), (2000, 3, 1, 11_017, "2000-03-01"),
    (2026, 1, 15, 20_468, "2026-01-15"), (1600, 2, 29, -135_081, "1600-02-29"),
  ])
  func day(year: Int, month: Int, day: Int, number: Int, text: String) {
    let date = CalendarDate(year: year, month: month, day: day)
    #expect(date.dayNumber == number)
    #expect(date.description == text)
  }

  @Test(arguments: [
    ("2026-02-14", 2026, 1, 31), ("2028-03-01", 2028, 2, 16), ("2027-01-01", 2026, 12, 18),
  ])
  func fourteenDaysLater(text: String, year: Int, month: Int, day: Int) {
    let date = CalendarDate(year: year, month: month, day: day).adding(days: 14)
    #expect(date.description == text)
  }
}
