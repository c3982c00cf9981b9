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
    if model.answer(model.root, .tea) == nil { return }
    if RulesModelTests.isTraced { say("uses lazy \(index)") }
    compare("lazy \(index)", lazies[index].tea, model.useLazy(index))
  }
}
