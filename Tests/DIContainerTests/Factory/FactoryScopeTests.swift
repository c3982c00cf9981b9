import DIContainer
import Testing

extension Scope {
  fileprivate static let session = Cached()
}

private final class OneContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  var parcel: Factory<Parcel> { self { Parcel() }.singleton }
  var other: Factory<Parcel> { self { Parcel() }.singleton }
  init() {}
}

private final class OtherContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  var parcel: Factory<Parcel> { self { Parcel() }.singleton }
  init() {}
}

private final class CachingContainer: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  var parcel: Factory<Parcel> { self { Parcel() } }
  var unique: Factory<Parcel> { self { Parcel() }.unique }
  init() {}
  func autoRegister() { manager.defaultScope = .cached }
}

private final class Pair {
  let one: Parcel
  let other: Parcel
  let weights: (Weight, Weight)
  init(_ one: Parcel, _ other: Parcel, _ weights: (Weight, Weight)) {
    self.one = one
    self.other = other
    self.weights = weights
  }
}

private final class GraphContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  nonisolated(unsafe) var weighed = 0
  init() {}
  nonisolated(unsafe) var misses = 0
  var parcel: Factory<Parcel> { self { Parcel() }.graph }
  var weight: Factory<Weight> {
    self {
      self.weighed += 1
      return Weight(grams: self.weighed)
    }.graph
  }
  var pair: Factory<Pair> {
    self { Pair(self.parcel(), self.parcel(), (self.weight(), self.weight())) }
  }
  var miss: Factory<Parcel?> {
    self {
      self.misses += 1
      return nil
    }.graph
  }
  var missesTwice: Factory<Bool> { self { self.miss() == nil && self.miss() == nil } }
}

extension Container {
  fileprivate var uniqueParcel: Factory<Parcel> { self { Parcel() } }
  fileprivate var sessionParcel: Factory<Parcel> { self { Parcel() }.scope(.session) }
  fileprivate var nothing: Factory<Parcel?> { self { nil }.cached }
  fileprivate var weakParcel: Factory<Parcel> { self { Parcel() }.shared }
  fileprivate var sharedWeight: Factory<Weight> { self { Weight(grams: 1) }.shared }
}

private final class AgainContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var parcel: Factory<Parcel> { self { Parcel() }.singleton }
  var other: Factory<Parcel> { self { Parcel() } }
}

private final class SurvivorContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var parcel: Factory<Parcel> { self { Parcel() }.singleton }
}

@Suite("Scopes by key path")
struct FactoryScopeTests {
  @Test("A declaration without a scope makes a new instance for every request")
  func unique() {
    let container = Resolver()
    #expect(container.uniqueParcel() !== container.uniqueParcel())
  }

  @Test("Outside every scope, an object graph shares what a property declares, but no nil")
  func graphInProduction() async {
    await #expect(processExitsWith: .success) {
      let container = GraphContainer()
      // The first requests take the general path.
      _ = (container.pair(), container.missesTwice())
      let (weighed, misses) = (container.weighed, container.misses)
      let pair = container.pair()
      #expect(pair.one === pair.other)
      #expect(container.weighed == weighed + 1)
      #expect(container.missesTwice())
      #expect(container.misses == misses + 2)
    }
  }

  @Test("A scope of one's own keeps an instance until it is reset")
  func custom() {
    let container = Resolver()
    let first = container.sessionParcel()
    #expect(container.sessionParcel() === first)
    container.manager.reset(scope: .session)
    #expect(container.sessionParcel() !== first)
  }

  @Test("An answer of nil is not kept")
  func nothing() {
    let container = Resolver()
    #expect(container.nothing() == nil)
    let parcel = Parcel()
    container.nothing.register { parcel }
    #expect(container.nothing() === parcel)
    container.nothing.register { nil }
    #expect(container.nothing() == nil)
  }

  @Test("A shared instance is kept while somebody holds it")
  func weak() {
    let container = Resolver()
    weak var weakly: Parcel?
    do {
      let parcel = container.weakParcel()
      weakly = parcel
      #expect(container.weakParcel() === parcel)
    }
    #expect(weakly == nil)
    #expect(container.sharedWeight() == Weight(grams: 1))
  }

  @Test("A resolution cycle shares instances and values of the graph scope")
  func graph() {
    let container = GraphContainer()
    let pair = container.pair()
    #expect(pair.one === pair.other)
    #expect(pair.weights.0 == pair.weights.1)
    #expect(container.pair().one !== pair.one)
  }

  @Test("A singleton is one for all containers of a type")
  func singletonOfType() {
    #expect(OneContainer().parcel() === OneContainer().parcel())
    #expect(OneContainer().parcel() !== OneContainer().other())
  }

  @Test("Two container types with a singleton of one name have one each")
  func singletonAcrossTypes() {
    #expect(OneContainer().parcel() !== OtherContainer().parcel())
  }

  @Test("A singleton is forgotten when its service is registered again, in another scope too")
  func singletonRegisteredAgain() {
    let container = AgainContainer()
    let declared = container.parcel()
    container.parcel.cached.register { Parcel() }
    #expect(container.parcel() !== declared)
    let first = container.other.singleton.register { Parcel() }()
    #expect(container.other() === first)
    container.other.singleton.register { Parcel() }
    #expect(container.other() !== first)
  }

  @Test("A registered singleton survives a reset of its manager, in a sandbox and in a layer, too")
  func registeredSingletonSurvives() {
    func registerAndReset() {
      let container = SurvivorContainer()
      container.parcel.register { Parcel() }
      let parcel = container.parcel()
      container.manager.reset()
      #expect(container.parcel() === parcel)
    }
    registerAndReset()
    inSandbox { registerAndReset() }
    let layer = ContextFrame(.layer, parent: nil, installed: Resolver(), caches: .all)
    ContextFrame.$bound.withValue(layer) { registerAndReset() }
  }

  @Test("A singleton survives a reset and a push of its manager")
  func singletonSurvives() {
    let container = OneContainer()
    let parcel = container.other()
    container.manager.reset()
    #expect(container.other() === parcel)
    container.manager.push()
    #expect(container.other() === parcel)
    container.manager.pop()
    #expect(container.other() === parcel)
  }

  @Test("The default scope of a manager holds for declarations that name none")
  func defaultScope() {
    let container = CachingContainer()
    #expect(container.parcel() === container.parcel())
    #expect(container.unique() !== container.unique())
    container.manager.defaultScope = nil
    #expect(container.parcel() !== container.parcel())
  }
}
