/// A place in source code: where a registration or a request was made.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  @usableFromInline let fileIDText: StaticString
  @usableFromInline let filePathText: StaticString
  /// The line, counted from 1.
  public let line: UInt
  /// The column, counted from 1.
  public let column: UInt

  /// Creates a location; with no arguments, the one of the caller.
  @inlinable
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileIDText = fileID
    self.filePathText = filePath
    self.line = line
    self.column = column
  }

  /// The module and file name, such as `Storefront/Checkout.swift`.
  public var fileID: String { fileIDText.description }

  /// The full path of the file when it was compiled.
  public var filePath: String { filePathText.description }

  /// The full path as the compiler wrote it, for functions that trap.
  package var staticFilePath: StaticString { filePathText }
  package var staticFileID: StaticString { fileIDText }

  /// The file and line in the form that compilers and editors understand.
  public var description: String { "\(fileID):\(line)" }

  /// Whether both name the same file, line and column.
  public static func == (left: Self, right: Self) -> Bool {
    left.line == right.line && left.column == right.column && left.fileID == right.fileID
  }

  /// Hashes the file, line and column.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(line)
    hasher.combine(column)
  }
}
