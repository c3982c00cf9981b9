#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

extension CodeLocation {
  static var unknown: CodeLocation {
    CodeLocation(fileID: "<unknown>", filePath: "<unknown>", line: 0, column: 0)
  }

  /// The location in Swift Testing's form.
  var sourceLocation: Testing.SourceLocation {
    Testing.SourceLocation(
      fileID: fileID, filePath: filePath, line: max(1, Int(line)), column: max(1, Int(column)))
  }

  /// Creates a location from one of Swift Testing.
  init(_ location: Testing.SourceLocation) {
    #if compiler(>=6.3)
    let filePath = location.filePath
    #else
    let filePath = location._filePath
    #endif
    self.init(
      fileID: location.fileID, filePath: filePath, line: UInt(location.line),
      column: UInt(location.column))
  }
}
#endif
