import StorefrontKit
import Testing

/// What may stand on the command line, and what the command says in the end.
@Suite struct CommandOptionsTests {
  @Test func defaults() throws {
    let options = try CommandOptions(arguments: [])
    #expect(options.ordersFile == nil)
    #expect(!options.doubles && !options.wiring && !options.help)
  }

  @Test(
    "Options stand in any order",
    arguments: [
      ["--orders", "my orders.csv", "--doubles", "--wiring", "--help"],
      ["-h", "--wiring", "--doubles", "--doubles", "--orders=my orders.csv"],
    ])
  func all(arguments: [String]) throws {
    let options = try CommandOptions(arguments: arguments)
    #expect(options.ordersFile == "my orders.csv")
    #expect(options.doubles && options.wiring && options.help)
  }

  @Test(
    arguments: [
      (["--orders"], .missingFile, "--orders needs the name of a file"),
      (["--orders="], .missingFile, "--orders needs the name of a file"),
      (["--orders", ""], .missingFile, "--orders needs the name of a file"),
      (["--orders", "--doubles"], .missingFile, "--orders needs the name of a file"),
      (["--orders", "a", "--orders=b"], .repeatedOrders, "--orders was given twice"),
      (["orders.csv"], .unknownArgument("orders.csv"), #"unknown argument "orders.csv""#),
      (["--Doubles"], .unknownArgument("--Doubles"), #"unknown argument "--Doubles""#),
      ([""], .unknownArgument(""), #"unknown argument """#),
    ] as [([String], UsageError, String)])
  func mistakes(arguments: [String], error: UsageError, text: String) {
    #expect(throws: error) { try CommandOptions(arguments: arguments) }
    #expect(error.description == text)
  }

  @Test(arguments: [
    (RunReport(), Outcome.success), (RunReport(charged: 5), .success),
    (RunReport(charged: 5, declined: 1), .incomplete), (RunReport(rejected: 1), .incomplete),
    (RunReport(malformed: 1), .incomplete),
  ])
  func outcome(report: RunReport, outcome: Outcome) {
    #expect(report.outcome == outcome)
  }

  @Test func summary() {
    let report = RunReport(charged: 4, declined: 3, rejected: 2, malformed: 1)
    #expect(report.description == "Orders: 4 charged, 3 declined, 2 rejected, 1 malformed")
  }
}
