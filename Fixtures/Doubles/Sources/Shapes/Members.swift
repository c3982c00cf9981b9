public import Base

/// Properties of every kind.
public protocol Properties {
  var limit: Int { get }
  var title: String { get set }
  var count: Int { get async }
  var total: Int { get throws }
  var sum: Int { get async throws(Declined) }
  var mutable: Int { mutating get nonmutating set }
  var `class`: String? { get }
}

/// Subscripts.
public protocol Subscripts {
  subscript(index: Int) -> String { get set }
  subscript(name name: String, default fallback: Int) -> Int { get }
  subscript(later index: Int) -> Int { get async throws }
}

/// Initializers.
public protocol Initializers {
  init()
  init(limit: Int)
  init?(name: String) throws
  init(_ value: Double)
}

/// `Self`, and mutating requirements.
public protocol Selves {
  func compare(_ other: Self) -> Bool
  func copy() -> Self
  mutating func advance()
}

/// Inherited across modules; `forget()` has a default implementation.
public protocol Vault: Audited, CustomStringConvertible, Hashable, Identifiable {
  func open()
}

/// A default implementation in a module of its own.
public protocol Defaulted {
  func required() -> Int
  func defaulted() -> Int
}
extension Defaulted {
  public func defaulted() -> Int { 1 }
}

public protocol Record: Identifiable, Codable where ID == String {
  var size: Int { get }
}

@available(macOS 14, iOS 17, *)
public protocol Recent {
  func recent() -> Int
}

protocol Hidden {
  func hide(_ secret: Secret) -> Int
}
struct Secret: Sendable {
  var code: Int
}

package protocol Packaged {
  func pack() -> Int
}

#if DEBUG
public protocol DebugOnly {
  func debug()
}
#endif
