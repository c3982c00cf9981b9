// What `--doubles` puts in place of the live services: a clock that stands still, gateways that
// charge nobody, a mailer that keeps what it should send. `StorefrontDoubles` registers them in a
// container that nests the main one, and makes it the root for a while: what it registers wins, all
// else is found in the main container. Tests have shorter ways, which come with `DITesting`; but a
// program must not link a test framework, and this needs none.

import DIContainer

/// The doubles of the storefront, in a container on top of the live one.
public final class StorefrontDoubles {
  /// The mailer, which knows what it was asked to send.
  public let mailer: SpyMailer = SpyMailer()

  /// The container that holds the doubles.
  private let container: Resolver = Resolver(child: .main)

  /// Creates and registers the doubles.
  public init() {
    let today = CalendarDate(year: 2026, month: 1, day: 15)
    container.register { StubClock(today: today) as any StoreClock }
    container.register { [mailer] in mailer as any Mailer }
    container.register((any PaymentGateway).self, name: .card) { FakeGateway(method: .card) }
    container.register((any PaymentGateway).self, name: .invoice) { FakeGateway(method: .invoice) }
  }

  /// Runs an operation with the doubles as the root, and puts back the root that was there.
  public func whileRoot<Value>(_ operation: () throws -> Value) rethrows -> Value {
    let previous = Resolver.root
    Resolver.root = container
    defer { Resolver.root = previous }
    return try operation()
  }
}
