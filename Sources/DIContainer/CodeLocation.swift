/// A place in source code: where a registration or a request was made.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  private let fileIDText: StaticString
  private let filePathText: StaticString
  /// Set for locations that are only known at run time, such as a test framework's.
  ///
  /// One object a file, which is never freed: locations are copied on the way of every request,
  /// and must not count references there.
  private let runtimeNames: Unchecked<Unmanaged<RuntimeNames>>?

  private final class RuntimeNames {
    let fileID: String
    let filePath: String

    init(fileID: String, filePath: String) {
      self.fileID = fileID
      self.filePath = filePath
    }

    private static let known = Lock<[String: Unchecked<Unmanaged<RuntimeNames>>]>([:])

    static func names(fileID: String, filePath: String) -> Unchecked<Unmanaged<RuntimeNames>> {
      known.withLock { known in
        if let names = known[filePath] { return names }
        let names = Unchecked(
          Unmanaged.passRetained(RuntimeNames(fileID: fileID, filePath: filePath)))
        known[filePath] = names
        return names
      }
    }
  }
  /// The line, counted from 1.
  public let line: UInt
  /// The column, counted from 1.
  public let column: UInt

  /// Creates a location; with no arguments, the one of the caller.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.fileIDText = fileID
    self.filePathText = filePath
    self.line = line
    self.column = column
    runtimeNames = nil
  }

  /// Creates a location from names that are only known at run time.
  package init(fileID: String, filePath: String, line: UInt, column: UInt) {
    fileIDText = ""
    filePathText = ""
    self.line = line
    self.column = column
    runtimeNames = RuntimeNames.names(fileID: fileID, filePath: filePath)
  }

  /// The module and file name, such as `Storefront/Checkout.swift`.
  public var fileID: String {
    runtimeNames?.value.takeUnretainedValue().fileID ?? fileIDText.description
  }

  /// The full path of the file when it was compiled.
  public var filePath: String {
    runtimeNames?.value.takeUnretainedValue().filePath ?? filePathText.description
  }

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
