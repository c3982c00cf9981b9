/// A location in source code, such as that of a registration or a request.
///
/// Functions that register, resolve or may fail take it as `fileID`, `filePath`, `line` and
/// `column`, which the compiler fills with the caller's place. Diagnoses name that place; a
/// function that passes a request on passes its own caller's.
@frozen
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  @usableFromInline let fileIDText: StaticString
  @usableFromInline let filePathText: StaticString
  /// The line, counted from 1.
  public let line: UInt
  /// The column, counted from 1.
  public let column: UInt

  /// Creates a location, by default that of the caller.
  @inlinable
  package init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileIDText = fileID
    self.filePathText = filePath
    self.line = line
    self.column = column
  }

  /// Creates a location from the four arguments by which a public function receives its caller's.
  @inlinable @inline(__always)
  package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a location from names that are only known at run time.
  package init(fileID: String, filePath: String, line: UInt, column: UInt) {
    fileIDText = RuntimeNames.literal(fileID)
    filePathText = RuntimeNames.literal(filePath)
    self.line = line
    self.column = column
  }

  /// The module and file name, such as `Storefront/Checkout.swift`.
  public var fileID: String { fileIDText.description }

  /// The module that the code is in.
  package var module: Substring { fileID.prefix { $0 != "/" } }

  /// The full path of the file when it was compiled.
  public var filePath: String { filePathText.description }

  /// The full path as the compiler wrote it, for functions that trap.
  package var staticFilePath: StaticString { filePathText }
  package var staticFileID: StaticString { fileIDText }

  /// The file and line in the form that compilers and editors understand.
  public var description: String { "\(fileID):\(line)" }

  /// Whether both name the same file, line and column.
  public static func == (left: Self, right: Self) -> Bool {
    // A file's name is one literal in most of its code, so no texts are made to compare.
    left.line == right.line && left.column == right.column
      && (left.fileIDText.isSameLiteral(as: right.fileIDText) || left.fileID == right.fileID)
  }

  /// Hashes the line and column: few places have the same, and a file's name takes longer to hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
  }
}

/// File names from a test framework, in the form of literals.
///
/// Locations are copied on the way of every request and must not count references, so they hold
/// literals only. Any other name is copied once for each file, and its memory is never freed.
private enum RuntimeNames {
  /// The layout of `StaticString`, which is frozen: the address, the length, the flags.
  private struct Layout {
    let start: UInt
    let count: UInt
    let flags: UInt8
  }

  private static let known = Lock<[String: StaticString]>([:])

  static func literal(_ name: String) -> StaticString {
    known.withLock { known in
      if let literal = known[name] { return literal }
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count + 1)
      _ = bytes.initialize(from: Array(name.utf8) + [0])
      let isASCII: UInt8 = name.utf8.allSatisfy { $0 < 0x80 } ? 2 : 0
      let literal = unsafeBitCast(
        Layout(
          start: UInt(bitPattern: bytes.baseAddress), count: UInt(name.utf8.count),
          flags: isASCII), to: StaticString.self)
      known[name] = literal
      return literal
    }
  }
}
