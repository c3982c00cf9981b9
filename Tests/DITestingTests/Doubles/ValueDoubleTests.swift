@testable import DITesting
import Testing

private protocol Calendar: Sendable {
  var today: String { get }
}

private struct FixedCalendar: Calendar {
  var today = "2026-12-24"
}

private final class LiveCalendar: Calendar {
  let today = "now"
}

extension Container {
  fileprivate var calendar: Factory<any Calendar> { self { LiveCalendar() } }
  fileprivate var maybeCalendar: Factory<(any Calendar)?> { self { nil } }
  fileprivate var calendarGateway: Factory<(any Gateway)?> { self { nil } }
}

private final class CalendarContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var calendar: Factory<any Calendar> { self { LiveCalendar() } }
}

@Suite("A value as a double", .sandbox)
struct ValueDoubleTests {
  @Test("is registered for a property, and returned as what it is")
  func keyPath() {
    let calendar: FixedCalendar = double(FixedCalendar(), for: \.calendar)
    #expect(Container.shared.calendar().today == calendar.today)
    double(FixedCalendar(today: "2027-01-01"), for: \CalendarContainer.calendar)
    #expect(CalendarContainer.shared.calendar().today == "2027-01-01")
    double(FixedCalendar(), for: \.maybeCalendar)
    #expect(Container.shared.maybeCalendar()?.today == "2026-12-24")
    let gateway: GatewayDouble = double(GatewayDouble(), for: \.calendarGateway)
    #expect(Container.shared.calendarGateway() as? GatewayDouble === gateway)
  }

  @Test("is registered for a service by its type, under a name as well")
  func byType() {
    let calendar: FixedCalendar = double(FixedCalendar(), as: (any Calendar).self)
    #expect(Resolver.resolve((any Calendar).self).today == calendar.today)
    double(FixedCalendar(today: "2027-01-01"), as: (any Calendar).self, name: "next")
    #expect(Resolver.resolve((any Calendar).self, name: "next").today == "2027-01-01")
  }

  @Test("of another type is an issue, and is not registered")
  func wrong() {
    let line: UInt = #line
    expectIssue(
      """
      `Int` is no `any Calendar`, so it was not registered.

        registered:  DITestingTests/ValueDoubleTests.swift:\(line + 10)

      To fix this:
        - Register a value of the type `Calendar`.
      """, atLine: line + 10
    ) { double(5, as: (any Calendar).self) }
    #expect(Resolver.optional((any Calendar).self) == nil)
  }

  @Test("of another type is told of as refused where its calls are missed, and not once more")
  func refused() {
    let gateway = GatewayDouble()
    let line: UInt = #line + 3
    let issues = findings {
      withKnownIssue {
        double(gateway, for: \.calendar)
        gateway.charge.returns("ref")
      }
      #expect(
        CallReport(about: [gateway.charge.log]).missedCall(of: gateway.charge.log)?.facts.map(\.1)
          == [
            "refused at DITestingTests/ValueDoubleTests.swift:\(line): `GatewayDouble` is no "
              + "`calendar: any Calendar`"
          ])
    }
    #expect(issues == [])
  }
}
