import DIContainer
import Shop

wireShop()
try Resolver.resolve(Checkout.self).buy("TEA-GREEN")
print("Sold, and loaded nothing that it does not need")
