import DIContainer

/// The shop: it prices and charges all orders of a source, and mails the receipts.
public final class Shop {
  /// How orders are read.
  private let parser: OrderParser

  /// What they cost.
  private let pricer: any Pricer

  /// How they are paid.
  private let desk: PaymentDesk

  /// How receipts are written.
  private let receipts: ReceiptWriter

  /// Where the user reads what went wrong.
  private let terminal: any Terminal

  /// How receipts are sent; nobody connects to a mail server before there is a receipt.
  @LazyInjected private var mailer: any Mailer

  /// Creates a shop from its services.
  public init(
    parser: OrderParser, pricer: any Pricer, desk: PaymentDesk, receipts: ReceiptWriter,
    terminal: any Terminal
  ) {
    self.parser = parser
    self.pricer = pricer
    self.desk = desk
    self.receipts = receipts
    self.terminal = terminal
  }

  /// Takes all orders of a source.
  ///
  /// An order that fails is reported on the terminal with its line, and the rest goes on. Throws
  /// only when the source cannot be read.
  public func run(_ source: any OrderSource) throws(OrderSourceError) -> RunReport {
    let parsed = parser.parse(try source.text())
    var report = RunReport(malformed: parsed.malformed.count)
    for line in parsed.malformed {
      terminal.writeError("\(source.label):\(line.number): \(line.error)")
    }
    for order in parsed.orders {
      do {
        try take(order, into: &report)
      } catch {
        terminal.writeError("\(source.label):\(order.line): order \(order.id): \(error)")
      }
    }
    return report
  }

  /// Takes one order, and enters in the report how that went.
  private func take(_ order: Order, into report: inout RunReport) throws {
    let priced: PricedOrder
    do {
      priced = try pricer.price(order)
    } catch {
      report.rejected += 1
      throw error
    }
    do {
      let payment = try desk.charge(priced)
      report.charged += 1
      mailer.send(receipts.receipt(for: priced, paidBy: payment))
    } catch {
      report.declined += 1
      throw error
    }
  }
}
