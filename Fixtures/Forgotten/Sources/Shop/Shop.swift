public import DIContainer

public protocol Mailer {}
public struct LiveMailer: Mailer {}
public struct FakeMailer: Mailer {
  public init() {}
}

public final class Warehouse: SharedContainer {
  public static let shared = Warehouse()
  public let manager = ContainerManager()
  public init() {}
}

extension Warehouse {
  public var mailer: Factory<any Mailer> { self { LiveMailer() } }
}

/// An app's own wiring, which runs when somebody first needs it.
public enum Wiring {
  public static let registered: Void = {
    Resolver.register { LiveMailer() as any Mailer }
  }()
}
