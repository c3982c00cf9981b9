/// The pricer of this shop.
public struct OrderPricer: Pricer {
  /// What the shop sells.
  private let catalog: any Catalog

  /// Who pays less.
  private let discounts: any DiscountPolicy

  /// What shipping costs.
  private let shipping: any ShippingPolicy

  /// Creates a pricer from the three rules that make a price.
  public init(
    catalog: any Catalog, discounts: any DiscountPolicy, shipping: any ShippingPolicy
  ) {
    self.catalog = catalog
    self.discounts = discounts
    self.shipping = shipping
  }

  /// Prices an order, or throws when the shop cannot deliver it.
  public func price(_ order: Order) throws(PricingError) -> PricedOrder {
    let products = try order.items.map { item throws(PricingError) in
      guard let product = catalog.product(for: item.sku) else { throw .unknownSKU(item.sku) }
      return (product, item.quantity)
    }
    do throws(AmountOverflow) {
      return try total(order, products)
    } catch {
      throw .amountTooLarge
    }
  }

  /// Adds an order up.
  private func total(
    _ order: Order, _ products: [(Product, quantity: Int)]
  ) throws(AmountOverflow) -> PricedOrder {
    var items: [PricedItem] = []
    var goods = Money.zero
    var vat = Money.zero
    for (product, quantity) in products {
      let item = try item(product, quantity: quantity)
      items.append(item)
      goods = try goods.adding(item.net)
      vat = try vat.adding(item.vat)
    }
    let parcel = shipping.price(forGoods: goods)
    vat = try vat.adding(parcel.percent(VATRate.standard.percent))
    return PricedOrder(
      order: order, items: items, shipping: parcel, vat: vat,
      total: try goods.adding(parcel).adding(vat))
  }

  /// Prices one item.
  private func item(_ product: Product, quantity: Int) throws(AmountOverflow) -> PricedItem {
    let full = try product.unitPrice.multiplied(by: quantity)
    let percent = discounts.percent(forQuantity: quantity)
    let net = try full.subtracting(full.percent(percent))
    return PricedItem(
      product: product, quantity: quantity, discountPercent: percent, net: net,
      vat: try net.percent(product.vat.percent))
  }
}
