import DIContainer
@testable import DITesting

extension RandomLife {
  /// Strictness or a fallback, as traits have them.
  func openPolicy() async {
    if model.scopes.count > 5 || isOfProcess { return }
    var (policy, expected) = (FramePolicy(), Policy())
    if chance(60) {
      expected.isStrict = chance(80)
      policy = .strict(expected.isStrict! ? .warn : .off, exceptions(for: &expected))
    } else {
      policy.fallbacks = [fallback(for: &expected)]
    }
    say("\(expected) {")
    await ScopeOpener(
      .plain, caches: .none, policy: policy, name: "policy", location: CodeLocation()
    ).run {
      model.enter(.policy)
      model.scopes.last?.policy = expected
      await inScope { await steps(10) }
    }
    leave()
  }
  private func exceptions(for expected: inout Policy) -> [LiveException] {
    var exceptions: [LiveException] = []
    if chance(20) {
      let service = anyService()
      expected.exceptedType = service
      exceptions.append(.type(service.form.key.type))
    }
    if chance(20) {
      let container = container()
      expected.exceptedContainer = container
      exceptions.append(.container(RandomLife.current!.containers[container]))
    }
    return exceptions
  }
  private func fallback(for expected: inout Policy) -> Fallback {
    plans += 1
    let (id, services) = (plans, Set(Service.allCases.filter { _ in chance(30) }))
    let container = chance(30) ? container() : nil
    expected.fallback = (id, services, container)
    let make: @Sendable (ServiceKey) -> Any? = { key in
      guard let service = services.first(where: { $0.form.key == key }) else { return nil }
      let life = RandomLife.current!
      life.built += 1
      return service.form.make(
        Facts(number: life.built, plan: id, container: -1, argument: nil, needs: []))
    }
    guard let container else { return Fallback(make) }
    let only = containers[container]
    return Fallback(in: { only }, make)
  }

  /// Takes down what a strict scope says of a live service.
  func hear(_ text: String) {
    let parts = text.split(separator: "`")
    guard parts.first == "A live service was resolved: " else { return }
    let service = (Service.allCases + Service.ofCircle).first { "\($0.form.key)" == parts[1] }
    heard.append(service.map { "\($0)" } ?? "\(parts[1].split(separator: ":").first!)")
  }
}
