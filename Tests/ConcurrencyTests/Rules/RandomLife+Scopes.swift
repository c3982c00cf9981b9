import DITesting

extension RandomLife {
  func openSandbox(steps count: Int = 10) async {
    if model.scopes.count > 5 { return }
    say("sandbox {")
    func fill(_ root: Resolver) {
      let container = index(root)
      if container != model.root { fail("the sandbox's root is \(container)") }
      model.enter(.sandbox)
      putDoubles(in: container, 20)
    }
    if isOfProcess {
      let sandbox = Sandbox.open(configure: fill)
      await steps(count)
      sandbox.close()
    } else {
      await withSandbox(fill) { await inScope { await steps(count) } }
    }
    leave()
  }
  func openRoot(_ container: Int) async {
    if model.scopes.count > 5 || isOfProcess { return }
    say("root \(container) {")
    await withRoot(containers[container]) {
      model.enter(.root, installing: container)
      await inScope { await steps(10) }
    }
    leave()
  }
  func openLayer() async {
    if model.scopes.count > 5 || isOfProcess { return }
    var (doubles, decorated): ([Shelf: Closure], Set<Shelf>) = ([:], [])
    await withLayer { layer in
      say("layer \(fill(layer)) {")
      doubles = putDoublesForLarders(in: layer)
      decorated = decorateLarders(in: layer)
    } operation: {
      model.enter(.layer, installing: containers.count - 1)
      model.scopes.last?.doubles = doubles
      model.scopes.last?.decorated = decorated
      await inScope { await steps(10) }
    }
    leave()
  }
  func inScope(_ body: nonisolated(nonsending) () async -> Void) async {
    contexts.append((.current, model.scopes.count))
    await body()
    contexts.removeLast()
  }
  func leave() {
    model.leave()
    say("}")
  }
  /// Puts a layer on the present scope: a new one, or a container with all that it nests.
  func push() {
    let own = chance(30) ? container() : nil
    let layer: Layer
    if let own {
      say("push \(own) itself {")
      layer = Resolver.push(containers[own])
    } else {
      layer = Resolver.push { say("push \(fill($0)) {") }
    }
    model.enter(.pushedLayer, installing: own ?? containers.count - 1)
    pushes.append(Push(layer: layer, scope: model.scopes.last!, level: firstPush))
  }
  /// Pops a layer of the present scope, and all that were pushed on it.
  func popLayer(at index: Int) {
    Resolver.pop(pushes[index].layer)
    takeOff(from: index)
  }
  private func takeOff(from index: Int) {
    while pushes.count > index {
      pushes.removeLast()
      leave()
    }
  }
  /// Pops a layer of a scope further out, which is in force here until then.
  func popFurtherOut() {
    if isElsewhere || firstPush == 0 || isOfProcess { return }
    let (index, level) = (roll(firstPush), pushes[..<firstPush])
    if level[index].scope.isPopped { return }
    say("pop layer \(level[index].scope.installed!) of further out")
    Resolver.pop(level[index].layer)
    for push in level[index...] where push.level == level[index].level {
      push.scope.isPopped = true
    }
  }
  /// Takes off what was popped in a scope that has ended.
  func takeOffPopped() {
    if let index = pushes[firstPush...].firstIndex(where: \.scope.isPopped) {
      takeOff(from: index)
    }
  }
  /// Registers doubles in a layer that is not in force yet.
  private func fill(_ layer: Resolver) -> Int {
    newContainer(layer)
    let container = index(layer)
    model.layers.insert(container)
    let scopes = model.scopes
    (defaultLifetime, model.scopes) = (model.defaultLifetime, [])
    putDoubles(in: container, 30)
    (defaultLifetime, model.scopes) = (nil, scopes)
    return container
  }
  private func putDoubles(in container: Int, _ percent: Int) {
    for service in Service.allCases {
      if chance(percent) { register(service, in: container) }
      if chance(percent / 5) { remove(service, from: container) }
      for _ in 0..<2 where chance(percent / 4) { decorate(service, in: container) }
    }
    if !larders.isEmpty, chance(percent / 2) { registerStall(in: container) }
    if hasCircles, chance(percent) { registerOfCircle(in: container) }
  }
  /// Goes on in a context that was taken along from further out, with what was pushed there.
  func inOuterContext() async {
    if contexts.isEmpty || isElsewhere { return }
    let (context, depth) = contexts[roll(contexts.count)]
    let scopes = model.scopes
    let pushed = scopes[depth...].prefix { $0.kind == .pushedLayer && !$0.isPopped }.count
    say("in the context of \(depth + pushed) scopes {")
    (model.scopes, isElsewhere) = (Array(scopes[..<(depth + pushed)]), true)
    await context.run { await steps(4) }
    (model.scopes, isElsewhere) = (scopes, false)
    say("}")
  }
  /// What production code sets up is base state, whichever scopes are open (RULES 1).
  func inBase() {
    if isElsewhere { return }
    let scopes = model.scopes
    say("in production's set-up {")
    model.scopes = []
    _ = Resolver { _ in
      register(anyService(), in: container())
      let (container, service, argument) = (container(), anyService(), anyArgument())
      if !isAsync {
        compare(container, service, argument, service.form.now(containers[container], argument))
      }
    }
    model.scopes = scopes
    say("}")
  }
}
