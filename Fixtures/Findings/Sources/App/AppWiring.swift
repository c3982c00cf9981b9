import DIContainer

public protocol Mailer {}
public protocol Audit {}
public protocol Scales {}

public struct LiveMailer: Mailer {
  public init() {}
}

/// Production set-up, which a host or a test runs.
public enum AppWiring {
  public static func register() {
    Resolver.register { LiveMailer() as any Mailer }
  }
}
