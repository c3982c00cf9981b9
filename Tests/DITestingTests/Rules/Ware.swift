/// What the containers of a random life hand out; see RandomLife.swift.
class Ware: @unchecked Sendable {
  // Sendable: all of it is immutable.
  let number: Int, plan: Int, container: Int, needs: [Ware?]

  required init(number: Int, plan: Int, container: Int, needs: [Ware?]) {
    (self.number, self.plan, self.container, self.needs) = (number, plan, container, needs)
  }
}

final class Tea: Ware, @unchecked Sendable {}
final class Pot: Ware, @unchecked Sendable {}
final class Cup: Ware, @unchecked Sendable {}
final class Tray: Ware, @unchecked Sendable {}
