// mode: 5; defaults: MainActor
// New app projects of Xcode 26 are in Swift 5 mode: what the isolation guide tells them to write.
import DIContainer

protocol Mailer { func send(_ text: String) }

final class LiveMailer: Mailer {
  func send(_ text: String) {}
}

final class ReceiptPrinter {
  init(mailer: any Mailer) {}
}

nonisolated struct Clock: Sendable {}

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    registerMain { LiveMailer() as any Mailer }
    registerMain { r in ReceiptPrinter(mailer: r.resolve()) }
    register { Clock() }
    register(Clock.init)
  }
}
