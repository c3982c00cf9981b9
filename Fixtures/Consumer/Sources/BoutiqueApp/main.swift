import Boutique
import DIContainer

// The first request of the process comes from where the argument says.
switch CommandLine.arguments.dropFirst().first {
case "detached":
  let price = await Task.detached { Resolver.resolve((any PriceList).self).price(of: "SCARF") }
    .value
  precondition(price == 19_00)
case "waiting":
  let forecast = try await Task.detached { try await Resolver.root.requireAsync(Forecast.self) }
    .value
  precondition(forecast.text == "rain")
case "property":
  let sign = await Task.detached { await Container.shared.window().sign }.value
  precondition(sign == "open")
case "lazy":
  await Task.detached {
    struct Counter {
      @LazyInjected var prices: any PriceList
    }
    let counter = Counter()
    precondition(counter.prices.price(of: "SCARF") == 19_00)
  }.value
default:
  break
}

let cart = CartModel()
precondition(cart.buy("SCARF") == 19_00)
precondition(cart.notice == "open")
try await cart.look()
precondition(cart.notice == "rain, rain")
print("Sold")
