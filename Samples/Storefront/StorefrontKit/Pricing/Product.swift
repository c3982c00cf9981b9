/// Something that the shop sells.
public struct Product: Hashable, Sendable {
  /// The code to order it by.
  public let sku: SKU

  /// The name on receipts.
  public let name: String

  /// The price of one, without VAT.
  public let unitPrice: Money

  /// The rate of VAT that is added.
  public let vat: VATRate

  /// Creates a product.
  public init(_ sku: SKU, _ name: String, _ unitPrice: Money, vat: VATRate = .standard) {
    self.sku = sku
    self.name = name
    self.unitPrice = unitPrice
    self.vat = vat
  }
}
