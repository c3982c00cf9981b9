#if canImport(Testing) && canImport(XCTest)

/// The error that a double throws for a call without a stubbed result, after reporting an issue.
public struct UnstubbedCall: Error, CustomStringConvertible {
  let text: String

  /// The text of the issue.
  public var description: String { text }
}

/// The results that need no stubbing: nil, `Void`, and empty collections and sets.
///
/// Other types that can be written as an empty list are not among them: such a value may mean
/// something else, or trap.
enum ObviousResult {
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
