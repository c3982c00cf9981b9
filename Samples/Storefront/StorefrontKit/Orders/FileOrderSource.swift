import Foundation

/// An order source that is a file: the one that ships with the shop, or the user's own.
public struct FileOrderSource: OrderSource {
  /// The name of the file as the user knows it.
  public let label: String

  /// The path of the file, or nil when the shop was installed without its own.
  private let path: String?

  /// Creates a source for a file of the user's, or, without a path, for the shop's own.
  public init(path: String? = nil) {
    label = path ?? "orders.csv"
    self.path = path ?? Bundle.module.path(forResource: "orders", ofType: "csv")
  }

  /// Reads the file, or what comes through it when it is a pipe.
  public func text() throws(OrderSourceError) -> String {
    guard let path else {
      throw OrderSourceError(label: label, reason: "the file did not come with the program")
    }
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      throw OrderSourceError(label: label, reason: Self.reason(of: error))
    }
  }

  /// Words an error of the file system: the system's own words say it best.
  private static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }
}
