import DoubleGenerator
import Testing

@Suite("A double whose protocol got a requirement since") struct StaleDoubleTests {
  @Test("does not compile, which names the requirement; a check names the file and the command")
  func newRequirement() throws {
    let shop = try Shop("public protocol Mailer { func send(_ text: String) }")
    try shop.run()
    try shop.build(
      """
      public protocol Mailer {
        func send(_ text: String)
        func archive(_ letter: String) -> Int
      }
      """)

    let line = 11
    #expect(
      try shop.compile("MailerDouble").filter { $0.hasPrefix("MailerDouble") } == [
        "MailerDouble.swift:\(line): error: "
          + "type 'MailerDouble' does not conform to protocol 'Mailer'",
        "MailerDouble.swift:\(line): note: add stubs for conformance",
      ])
    // It shows that line, and two above it.
    let lines = try shop.text("MailerDouble").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[line - 3...line - 1] == [
        "/// A double of `Mailer`;",
        "/// if that has changed, `swift package doubles` brings this up to date.",
        "nonisolated final class MailerDouble: Mailer, TestDouble {",
      ])

    let command = "swift package --allow-writing-to-package-directory doubles --target Shop"
    #expect(
      try shop.run { ($0.checks, $0.command) = (true, command) } == [
        "error: MailerDouble.swift is stale: a run would write it differently now, from the "
          + "protocol `Mailer` of Shop.",
        "To bring them up to date, run: \(command)",
      ])
    #expect(try shop.run() == ["Wrote MailerDouble.swift"])
    #expect(try shop.compile("MailerDouble") == [])
  }
}
