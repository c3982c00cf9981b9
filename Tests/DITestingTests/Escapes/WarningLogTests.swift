@testable import DITesting
import Testing

@Suite("A warning in XCTest")
struct WarningLogTests {
  private let issue = DiagnosticIssue(
    text: "The double for `Basket` was never resolved.", severity: .warning,
    location: CodeLocation(
      fileID: "ShopTests/CartTests.swift", filePath: "/shop/Tests/CartTests.swift", line: 7,
      column: 5))

  @Test("begins with a path that can be clicked, and names its test")
  func place() {
    #expect(
      WarningLog.text(issue, of: "CartTests.testAdds")
        == "/shop/Tests/CartTests.swift:7:5: warning: CartTests.testAdds : "
        + "The double for `Basket` was never resolved.")
  }

  @Test("leaves out what cannot be told")
  func unknown() {
    let issue = DiagnosticIssue(
      text: issue.text, severity: .error, location: CodeLocation(line: 0))
    #expect(WarningLog.text(issue, of: nil) == "error: \(issue.text)")
  }
}
