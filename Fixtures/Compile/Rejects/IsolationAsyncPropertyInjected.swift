// mode: 6
// expect: A wrapper can neither wait nor pass a parameter; call the property of the container
import DIContainer

final class Prices: Sendable {}

extension Container {
  var prices: AsyncFactory<Prices> { self { Prices() } }
}

final class Model {
  @LazyInjected(\.prices) var prices
}
