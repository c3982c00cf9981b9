import DIContainer
import TestSupport
import Testing

private final class Garage: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

// A singleton belongs to the process: each test has a property of its own.
extension Garage {
  fileprivate var afterReset: Factory<any Courier> { self { VanCourier() } }
  fileprivate var afterOwnReset: Factory<any Courier> { self { VanCourier() } }
  fileprivate var afterPop: Factory<any Courier> { self { VanCourier() } }
  fileprivate var underRequests: Factory<any Courier> { self { VanCourier() } }
  fileprivate var ofSeveral: Factory<any Courier> { self { VanCourier() } }
  fileprivate var byDefault: Factory<any Courier> { self { VanCourier() } }
  fileprivate var inSandbox: Factory<any Courier> { self { VanCourier() } }
}

extension Factory<any Courier> {
  /// Registers a singleton, and returns the name of the instance that there is then.
  fileprivate func registered(_ name: String) -> String {
    _ = register { FakeCourier(name) }.singleton
    return self().name
  }
}

@Suite("A singleton that is registered anew is released")
struct SingletonRegisteredAnewTests {
  @Test("after a reset of its container")
  func afterReset() {
    let garage = Garage()
    #expect(garage.afterReset.registered("first") == "first")
    garage.manager.reset()
    #expect(garage.afterReset.registered("second") == "second")
  }

  @Test("after a reset of its property")
  func afterOwnReset() {
    let garage = Garage()
    #expect(garage.afterOwnReset.registered("first") == "first")
    garage.afterOwnReset.reset(.registration)
    #expect(garage.afterOwnReset.registered("second") == "second")
  }

  @Test("after a pop")
  func afterPop() {
    let garage = Garage()
    garage.manager.push()
    #expect(garage.afterPop.registered("first") == "first")
    garage.manager.pop()
    #expect(garage.afterPop.registered("second") == "second")
  }

  @Test("while other threads request it: none gets an earlier one than was registered before")
  func underRequests() {
    let garage = Garage()
    let published = Atomic()
    let rounds: UInt = isUnderThreadSanitizer ? 1_000 : 5_000
    let stale = Counter()
    garage.underRequests.singleton.register { FakeCourier("0") }
    onOwnThreads(4) { thread in
      if thread == 0 {
        for number in 1...rounds {
          garage.underRequests.register { FakeCourier("\(number)") }
          published.increment()
        }
        return
      }
      while published.value < rounds {
        let least = published.value
        if UInt(garage.underRequests().name)! < least { stale.increment() }
      }
    }
    #expect(stale.value == 0)
    #expect(garage.underRequests().name == "\(rounds)")
  }

  @Test("in another container of the class")
  func otherContainer() {
    #expect(Garage().ofSeveral.registered("first") == "first")
    #expect(Garage().ofSeveral.registered("second") == "second")
  }

  @Test("while the default scope is another one")
  func otherDefaultScope() {
    let garage = Garage()
    garage.manager.defaultScope = .singleton
    garage.byDefault.register { FakeCourier("first") }
    #expect(garage.byDefault().name == "first")
    garage.manager.defaultScope = nil
    garage.byDefault.register { FakeCourier("second") }
    garage.manager.defaultScope = .singleton
    #expect(garage.byDefault().name == "second")
  }

  @Test("in a sandbox")
  func sandbox() {
    let garage = Garage()
    DIContainerTests.inSandbox {
      #expect(garage.inSandbox.registered("first") == "first")
      garage.manager.reset()
      #expect(garage.inSandbox.registered("second") == "second")
    }
  }
}
