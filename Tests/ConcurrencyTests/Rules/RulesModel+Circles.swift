// The rule for a property that closes a circle: it is set when the outermost service of the
// resolution cycle is made, before that is returned; those of several services in the order in
// which these were made.

extension RulesModel {
  mutating func tieKnots() {
    while !untied.isEmpty {
      let next = untied.removeFirst()
      next.knot.bow = meet(next.property, for: next.container)?.number
    }
  }
}
