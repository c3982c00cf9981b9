import Combine
import DIContainer
import SwiftUI

// A view as it is written with Resolver.

final class CartModel: ObservableObject {
  var count = 0
}

@MainActor
struct CartView {
  @InjectedObject var cart: CartModel
  @InjectedObject(name: "saved") var saved: CartModel
  @InjectedObject(container: .main) var other: CartModel

  var count: Binding<Int> { $cart.count }

  mutating func swap() { (cart, saved) = (saved, cart) }
}
