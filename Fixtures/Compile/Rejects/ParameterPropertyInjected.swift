// mode: 6
// expect: A wrapper can neither wait nor pass a parameter; call the property of the container
import DIContainer

final class Order {}

extension Container {
  var order: ParameterFactory<Int, Order> { self { _ in Order() } }
}

final class Model {
  @Injected(\.order) var order
}
