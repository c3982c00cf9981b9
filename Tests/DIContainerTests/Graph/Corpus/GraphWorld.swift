@testable import DIContainer

// The world of the corpus: services with nothing in them. What they need is said where they are
// registered, by closures with typed parameters, which count as initialisers do.

/// The world of the corpus; other tests have services of these names.
enum Wired {
  struct Shop {}
  struct Checkout {}
  struct Catalog {}
  struct Receipts {}
  struct Ledger {}
  struct Clock {}
  struct Database {}
  struct Search {}
  struct Report {}

  protocol Mailer {}
  struct SMTPMailer: Mailer {}
  struct SpyMailer: Mailer {}
  protocol Payments {}
  struct CardPayments: Payments {}
  /// Looks like a payment service, and is none.
  struct CashBox {}
  class Printer {}
  final class LaserPrinter: Printer {}
  protocol Screen {}
  struct CartScreen: Screen {}

  /// Refers to a service that refers back to it, lazily.
  final class LazyCheckout {
    @LazyInjected var receipts: LazyReceipts
    init(container: Resolver? = nil) { $receipts.container = container }
  }
  final class LazyReceipts {
    init(checkout: LazyCheckout) {}
  }
}

/// A wiring, and all that validating it should say.
struct GraphCase: Sendable, CustomStringConvertible {
  let description: String
  private let file: String
  private let line: UInt
  private let roots: [Any.Type]
  private let dryRun: Bool
  private let build: @Sendable (Resolver) -> Void
  private let doubles: (@Sendable (Resolver) -> Void)?
  private(set) var text = ""

  init(
    _ name: String, roots: [Any.Type] = [], dryRun: Bool = false,
    file: String = #fileID, line: UInt = #line, build: @escaping @Sendable (Resolver) -> Void,
    doubles: (@Sendable (Resolver) -> Void)? = nil
  ) {
    description = name
    self.file = file
    self.line = line
    self.roots = roots
    self.dryRun = dryRun
    self.build = build
    self.doubles = doubles
  }

  func says(_ text: String) -> GraphCase {
    var graph = self
    graph.text = text
    return graph
  }

  /// What validating says, with lines counted from the case's first, and whether it threw.
  func run() -> (text: String, throws: Bool) {
    let shop = Resolver(named: "shop")
    build(shop)
    guard let doubles else { return validate(shop) }
    return ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      doubles(shop)
      return validate(shop)
    }
  }

  private func validate(_ shop: Resolver) -> (text: String, throws: Bool) {
    do {
      let report = try shop.validate(roots: roots, dryRun: dryRun)
      return (relative("\(report)"), false)
    } catch {
      return (relative("\(error)"), true)
    }
  }

  private func relative(_ text: String) -> String {
    text.split(separator: "\(file):", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      guard index > 0 else { return String(part) }
      let digits = part.prefix { $0.isNumber }
      return "+\(Int(digits)! - Int(line))" + part.dropFirst(digits.count)
    }.joined()
  }
}

extension Resolver {
  convenience init(named name: String) {
    self.init(core: ContainerCore(label: name, location: CodeLocation()))
  }

  convenience init(named name: String, configure: (Resolver) -> Void) {
    self.init(named: name)
    configure(self)
  }
}
