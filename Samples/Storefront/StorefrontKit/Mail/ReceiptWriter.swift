import DIContainer

/// The writer of receipts.
public final class ReceiptWriter {
  /// What day it is.
  @Injected private var clock: any StoreClock

  /// Whom receipts come from.
  @Injected(name: .sender) private var sender: EmailAddress

  /// Creates a writer, which has its services injected.
  public init() {}

  /// Writes the receipt for an order that was paid.
  public func receipt(for priced: PricedOrder, paidBy payment: Payment) -> Message {
    var body = ["Order \(priced.order.id) of \(clock.today)", ""]
    body += priced.items.map { row(title(of: $0), $0.net) }
    body.append(row("Shipping", priced.shipping))
    body.append(row("VAT", priced.vat))
    body.append(row("Total", priced.total))
    body += ["", closing(payment)]
    return Message(
      sender: sender, recipient: priced.order.customer,
      subject: "Your receipt for order \(priced.order.id)", body: body)
  }

  /// Names an item and what was taken off its price.
  private func title(of item: PricedItem) -> String {
    let discount = item.discountPercent > 0 ? " (\(item.discountPercent) % off)" : ""
    return "\(item.quantity) x \(item.product.name)\(discount)"
  }

  /// Sets a title and an amount in two columns.
  private func row(_ title: String, _ amount: Money) -> String {
    let width = 50
    let gap = width - title.count - amount.description.count
    return title + String(repeating: " ", count: max(1, gap)) + amount.description
  }

  /// Says how the order was paid, or how it is to be.
  private func closing(_ payment: Payment) -> String {
    if let due = payment.due {
      "Please pay by \(due), reference \(payment.reference)."
    } else {
      "Paid by \(payment.method.rawValue), reference \(payment.reference)."
    }
  }
}
