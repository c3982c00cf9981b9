/// Protocols of another module, which those of `Shapes` inherit.
public protocol Named {
  var name: String { get }
  func rename(to name: String)
}

public protocol Audited: Named {
  func audit() -> [String]
  func forget()
}
extension Audited {
  public func forget() {}
}

public struct Stamp: Sendable, Equatable {
  public var number: Int
  public init(number: Int) { self.number = number }
}

/// Not Sendable.
public final class Ledger {
  public var lines: [String]
  public init(lines: [String] = []) { self.lines = lines }
}

public struct Parcel: Sendable, Equatable {
  public init() {}
}
