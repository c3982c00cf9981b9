import DITesting

final class LazyOwner {
  @LazyInjected var tea: Tea
}

extension RandomLife {
  func stepLazily() {
    if lazies.isEmpty || chance(25) {
      say("makes lazy \(lazies.count)")
      lazies.append(LazyOwner())
      model.lazies.append(LazyPlace(made: model.keepingScope))
      return
    }
    let index = roll(lazies.count)
    let made = model.lazies[index].made
    // Without a context of its own, work goes on in the scope that it remembers, which is over.
    if isOfProcess, let made, !model.scopes.contains(where: { $0 === made }) { return }
    if model.answer(model.root, .tea) == nil { return }
    if RulesModelTests.isTraced { say("uses lazy \(index)") }
    compare("lazy \(index)", lazies[index].tea, model.useLazy(index))
  }
}
