import DICompatibility
import DIContainer
import DITesting
import Testing

private final class Strongbox {
  var float = 0
}

/// Its services are registered by type, as in Factory's Resolving mode.
private final class Market: SharedContainer, AutoRegistering {
  static let shared = Market()
  let manager = ContainerManager()
  func autoRegister() { register { Strongbox() } }
}

@Suite("The options of a registration by type, from factory(_:)")
struct FactoryOfTypeTests {
  @Test("change the scope of what autoRegister registered, in a sandbox")
  func scopeOfAutoRegistered() {
    withSandbox {
      Market.shared.factory(Strongbox.self)?.scope(.singleton)
      let box: Strongbox? = Market.shared.resolve()
      #expect(box != nil)
      #expect(box === Market.shared.resolve(Strongbox.self))
    }
  }

  @Test("set properties of what autoRegister registered, in a sandbox")
  func propertiesOfAutoRegistered() {
    withSandbox {
      Market.shared.factory(Strongbox.self)?.resolveProperties { _, box in box.float = 50 }
      #expect(Market.shared.resolve(Strongbox.self)?.float == 50)
    }
  }

  @Test("change what a container was configured with, for the sandbox alone")
  func configured() {
    let shop = Container { $0.register { Strongbox() } }
    withSandbox {
      shop.factory(Strongbox.self)?.scope(.cached).resolveProperties { _, box in box.float = 50 }
      #expect(shop.resolve(Strongbox.self) === shop.resolve(Strongbox.self))
      #expect(shop.resolve(Strongbox.self).float == 50)
    }
    #expect(shop.resolve(Strongbox.self) !== shop.resolve(Strongbox.self))
    #expect(shop.resolve(Strongbox.self).float == 0)
  }

  @Test("change what an enclosing sandbox registered, for the nested one alone")
  func enclosing() {
    let shop = Container()
    withSandbox {
      shop.register { Strongbox() }
      withSandbox {
        shop.factory(Strongbox.self)?.scope(.cached)
        shop.factory(Strongbox.self)?.resolveProperties { _, box in box.float = 50 }
        #expect(shop.resolve(Strongbox.self) === shop.resolve(Strongbox.self))
        #expect(shop.resolve(Strongbox.self).float == 50)
      }
      #expect(shop.resolve(Strongbox.self) !== shop.resolve(Strongbox.self))
      #expect(shop.resolve(Strongbox.self).float == 0)
    }
  }

  @Test("change what the sandbox itself registered")
  func own() {
    let shop = Container()
    withSandbox {
      shop.register { Strongbox() }
      let options = shop.factory(Strongbox.self)
      withSandbox {
        options?.scope(.cached)
        #expect(shop.resolve(Strongbox.self) === shop.resolve(Strongbox.self))
      }
      #expect(shop.resolve(Strongbox.self) !== shop.resolve(Strongbox.self))
      options?.scope(.cached)
      #expect(shop.resolve(Strongbox.self) === shop.resolve(Strongbox.self))
    }
  }

  @Test("leave what was changed a service of production")
  func live() {
    let shop = Container { $0.register { Strongbox() } }
    let recorder = ResolutionRecorder()
    withSandbox {
      shop.factory(Strongbox.self)?.scope(.cached)
      withRecorder(recorder) { _ = shop.resolve(Strongbox.self) }
    }
    #expect(recorder.events.map(\.isDouble) == [false])
  }
}
