// How the services are wired: three containers, one a part of the shop, each configured where it is
// made. `payments` and `mail` nest `core`, so that each can answer on its own. `wireStorefront()`
// adds all three to the main container, and registers the shop there. The names tell apart what has
// the same type: the two gateways, and the values that the services are set up with.

public import DIContainer

extension Resolver.Name {
  /// The payment gateway for cards.
  public static let card: Resolver.Name = Self("card")

  /// The payment gateway for invoices.
  public static let invoice: Resolver.Name = Self("invoice")

  /// The most that one charge to a card may be.
  public static let cardLimit: Resolver.Name = Self("cardLimit")

  /// The most that one customer may owe.
  public static let creditLimit: Resolver.Name = Self("creditLimit")

  /// The address that receipts come from.
  public static let sender: Resolver.Name = Self("sender")
}
