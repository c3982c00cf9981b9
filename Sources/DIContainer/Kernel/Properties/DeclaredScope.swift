/// The scope that a declaration names, encoded in a byte to count no reference.
@usableFromInline
enum DeclaredScope {
  @inlinable static var none: UInt8 { 0 }
  static let custom: UInt8 = 6
  /// The bits of a factory's registration that hold the code.
  @inlinable static var mask: UInt8 { 0x0F }
  /// The code of something that was registered, which applies to any declaration.
  static let anyCode: UInt8 = 255

  static func code(of scope: Scope?) -> UInt8 {
    guard let scope else { return none }
    return wellKnown.firstIndex { $0 === scope }.map { UInt8($0 + 1) } ?? custom
  }

  static func scope(_ code: UInt8, custom scope: Scope?) -> Scope? {
    switch code {
    case none: nil
    case custom: scope
    default: wellKnown[Int(code) - 1]
    }
  }

  @inlinable static var cached: UInt8 { 1 }
  @inlinable static var graph: UInt8 { 2 }
  @inlinable static var shared: UInt8 { 3 }
  @inlinable static var singleton: UInt8 { 4 }
  @inlinable static var unique: UInt8 { 5 }
  private static let wellKnown: [Scope] = [
    .cached, .graph, .shared, .singleton, .unique,
  ]
}
