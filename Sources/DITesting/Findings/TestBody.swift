#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The code of a test itself, in contrast to the set-up that it shares with others.
struct TestBody {
  /// The line of the test, or of the function that opened the scope in it; nil if unknown.
  private let start: CodeLocation?
  /// The serial number at which a test case's `setUp` was over, if it is known.
  private let setUpEnd: UInt64?
  /// The places whose module is the test's, if they name one: the first that does.
  private let places: [CodeLocation]

  init(_ scope: ContextFrame) {
    let test = IssueReporter.testLocation
    // What a test case's `setUp` opens is above the test's functions, too.
    start = test ?? (scope.pushed == nil ? scope.opener.location : nil)
    setUpEnd = scope.chain.lazy.compactMap { $0.notes?.setUpEnd }.first
    let outermost = scope.outermostOfTest ?? scope
    places = [test ?? outermost.opener.location, scope.opener.location]
  }

  /// Whether the test itself made a registration: at or below its line, in its file.
  func holds(_ double: Registration) -> Bool {
    if let setUpEnd { return double.id > setUpEnd && isInModule(double) }
    return start.map { double.location.isInBody(from: $0) } ?? false
  }

  /// Whether a line is known to be none of the running test's own.
  static func isElsewhere(_ location: CodeLocation) -> Bool {
    IssueReporter.testLocation.map { !location.isInBody(from: $0) } ?? false
  }

  /// Whether a registration is in the test's module: others are production's.
  func isInModule(_ double: Registration) -> Bool {
    let module = places.lazy.map(\.module).first { !$0.isEmpty }
    return module == nil || double.location.module == module
  }
}

extension CodeLocation {
  fileprivate func isInBody(from start: CodeLocation) -> Bool {
    fileID == start.fileID && line >= start.line
  }
}
#endif
