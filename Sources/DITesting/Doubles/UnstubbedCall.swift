#if canImport(Testing) && canImport(XCTest)

/// The error that a double throws for a call without a stubbed result, after reporting an issue.
public struct UnstubbedCall: Error, CustomStringConvertible {
  let text: String

  /// The text of the issue: its first line, if that was reported.
  public var description: String { text }
}

/// The results of calls without a stubbed one, where a type has a value that means nothing.
enum EmptyResult {
  /// Returns nil, `Void`, or the empty collection or set.
  ///
  /// Other types that can be written as an empty list have none: such a value may mean something
  /// else, or trap.
  static func of<Result>(_ type: Result.Type) -> Result? {
    if type == Void.self { return () as? Result }
    let value: Any? =
      switch type {
      case let type as any EmptyByDefault.Type: type.empty
      case let type as any RangeReplaceableCollection.Type: type.init()
      case let type as any SetAlgebra.Type: type.init()
      default: nil
      }
    return value.flatMap { $0 as? Result }
  }

  /// Returns zero or false: they say something, so where a call is an issue, an error is better.
  static func zero<Result>(_ type: Result.Type) -> Result? {
    if type == Bool.self { return false as? Result }
    guard let type = type as? any AdditiveArithmetic.Type else { return nil }
    return type.zero as? Result
  }
}

private protocol EmptyByDefault {
  static var empty: Any { get }
}

extension Optional: EmptyByDefault {
  fileprivate static var empty: Any { Self.none as Any }
}

extension Dictionary: EmptyByDefault {
  fileprivate static var empty: Any { [:] as Self }
}
#endif
