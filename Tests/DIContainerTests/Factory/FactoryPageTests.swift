import DIContainer
import Testing

// Every example of Factory's page on containers, in its order.

protocol ServiceType: AnyObject {}
final class MyService: ServiceType {}

extension Container {
  var service: Factory<any ServiceType> {
    Factory(self) { MyService() }
  }
}

extension Container {
  var convenientService: Factory<any ServiceType> {
    makes { MyService() }
  }
}

extension SharedContainer {
  var commonService: Factory<any ServiceType> {
    makes { MyService() }
  }
}

/// As on the page, but for what Swift 6 refuses: a stored `static var` has to say who guards it,
/// and a Sendable class has no `var manager`.
final class MyContainer: SharedContainer {
  nonisolated(unsafe) static var shared = MyContainer()
  let manager = ContainerManager()
}

extension MyContainer {
  var cachedService: Factory<any ServiceType> {
    makes { MyService() }.cached
  }
}

/// The same without a `shared` of its own.
final class DefaultContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension DefaultContainer {
  var cachedService: Factory<any ServiceType> {
    makes { MyService() }.cached
  }
}

final class TaskLocalContainer: SharedContainer {
  @TaskLocal static var shared = TaskLocalContainer()
  let manager = ContainerManager()
}

extension TaskLocalContainer {
  var cachedService: Factory<any ServiceType> { self { MyService() }.cached }
}

private final class ContentViewModel {
  let service2: any ServiceType
  init(container: Container) {
    service2 = container.service()
  }
}

private final class InjectedViewModel {
  @Injected(\MyContainer.cachedService) var cachedService
}

@Suite("Factory's page on containers", .serialized)
struct FactoryPageTests {
  @Test("A factory in an extension of Container is resolved from the shared container")
  func containersAndFactories() {
    let service = Container.shared.service()
    #expect(service is MyService)
  }

  @Test("`makes` binds a factory to its container")
  func convenience() {
    #expect(Container.shared.convenientService() is MyService)
  }

  @Test("Containers are passed along")
  func passing() {
    let container = Container()
    let double = MyService()
    container.service.register { double }
    #expect(ContentViewModel(container: container).service2 === double)
  }

  @Test("A factory of SharedContainer is there in every container")
  func sharedContainer() {
    let common1 = Container.shared.commonService()
    let common2 = MyContainer.shared.commonService()
    #expect(common1 !== common2)
  }

  @Test("An injected service is the one cached in the container that its key path names")
  func injected() {
    let injected = InjectedViewModel().cachedService
    let cached = MyContainer.shared.cachedService()
    #expect(injected === cached)
  }

  @Test("Replacing the shared container releases what the old one registered and kept")
  func replacing() {
    // Creates a service.
    let service1 = MyContainer.shared.cachedService()
    // Now get it again, getting the same instance of our service from the cached scope.
    let service2 = MyContainer.shared.cachedService()
    // Replace the shared container
    MyContainer.shared = MyContainer()
    // Trying again gets a new instance since the old scope cache was released.
    let service3 = MyContainer.shared.cachedService()
    // Doing it one last time will give us the same cached instance we have in service3.
    let service4 = MyContainer.shared.cachedService()
    #expect(service1 === service2)
    #expect(service1 !== service3)
    #expect(service3 === service4)
  }

  @Test("A `shared` that comes with the container is replaced in the same four steps")
  func replacingDefault() {
    inSandbox {
      let service1 = DefaultContainer.shared.cachedService()
      let service2 = DefaultContainer.shared.cachedService()
      DefaultContainer.shared = DefaultContainer()
      let service3 = DefaultContainer.shared.cachedService()
      let service4 = DefaultContainer.shared.cachedService()
      #expect(service1 === service2)
      #expect(service1 !== service3)
      #expect(service3 === service4)
    }
  }

  @Test("A replaced container goes, with all that it kept")
  func released() {
    weak var kept: AnyObject?
    weak var container: DefaultContainer?
    do {
      let old = DefaultContainer()
      container = old
      old.cachedService.register { [unowned old] in
        _ = old
        return MyService()
      }
      kept = old.cachedService()
      #expect(kept != nil)
    }
    #expect(kept == nil)
    #expect(container == nil)
  }

  @Test("A declaration that uses its container does not keep it alive")
  func noCycle() {
    weak var weakly: Resolver?
    do {
      let container = Resolver()
      weakly = container
      _ = container.dispatch()
      _ = container.cachedCourier()
      container.courier.register { FakeCourier() }
      _ = container.dispatch()
    }
    #expect(weakly == nil)
  }

  @Test("A task-local `shared` is bound for an operation")
  func taskLocal() {
    let outside = TaskLocalContainer.shared.cachedService()
    TaskLocalContainer.$shared.withValue(TaskLocalContainer()) {
      #expect(TaskLocalContainer.shared.cachedService() !== outside)
    }
    #expect(TaskLocalContainer.shared.cachedService() === outside)
  }
}
