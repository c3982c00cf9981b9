// What lies outside the program, behind protocols: `StoreClock` says what day it is, `Terminal`
// takes what users read. Only `SystemClock` and `StandardTerminal` touch the real thing.

/// A day of the Gregorian calendar.
public struct CalendarDate: Hashable, Sendable {
  /// The number of days since 1 January 1970.
  public let dayNumber: Int

  /// Creates the date of a day number.
  public init(dayNumber: Int) {
    self.dayNumber = dayNumber
  }

  /// Creates the date of a year, a month from 1 to 12 and a day of that month.
  public init(year: Int, month: Int, day: Int) {
    // Years that begin on 1 March end with the leap day; 400 of them have 146,097 days.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    dayNumber = era * 146_097 + dayOfEra - 719_468
  }

  /// The date a number of days later.
  public func adding(days: Int) -> CalendarDate { CalendarDate(dayNumber: dayNumber + days) }
}

extension CalendarDate: CustomStringConvertible {
  /// The date as ISO 8601 writes it, such as `2026-01-31`.
  public var description: String {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
