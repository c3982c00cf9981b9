import DIContainer
import TestSupport
import Testing

extension Container {
  fileprivate var promisedParcel: Factory<Parcel?> { promised() }
}

extension Depot {
  fileprivate var promisedParcel: Factory<Parcel?> { promised() }
}

@Suite("Keys of properties")
struct FactoryKeyTests {
  private func declare(_ container: Resolver, in fileID: StaticString) -> Factory<String> {
    Factory(container, key: "greeting", fileID: fileID) { "\(fileID)" }
  }

  @Test("The same property in two modules is two services")
  func modules() {
    let container = Resolver()
    let (one, two) = (
      declare(container, in: "One/File.swift"), declare(container, in: "Two/File.swift")
    )
    one.register { "double" }
    #expect(one() == "double")
    #expect(two() == "Two/File.swift")
  }

  @Test("The same property for two types is two services")
  func types() {
    let container = Resolver()
    Factory<Int>(container, key: "value") { 1 }.register { 2 }
    #expect(Factory<Int>(container, key: "value") { 1 }() == 2)
    #expect(Factory<String>(container, key: "value") { "one" }() == "one")
  }

  @Test("The same property of two container types is two services")
  func containers() {
    let (container, depot) = (Resolver(), Depot())
    container.courier.register { FakeCourier("container") }
    #expect(container.courier().name == "container")
    #expect(depot.courier().name == "depot")
  }

  @Test("The same property of two container types is two services, even in one container")
  func containersByType() {
    let depot = Depot()
    depot.courier.register { FakeCourier("registered") }
    let common = Parcel()
    depot.common.register { common }
    var seen: (courier: String, common: Parcel)?
    // What the closure is given is the depot, seen as a `Container`.
    depot.register { Weight(grams: 1) }.resolveProperties { r, _ in
      seen = (r.courier().name, r.common())
    }
    _ = depot.resolve(Weight.self)
    #expect(seen?.courier == "van")
    #expect(seen?.common === common)
  }

  @Test("A promise of one container type is not kept by a property of another")
  func promises() {
    inSandbox {
      Resolver.main.promisedParcel.register { Parcel() }
      let line: UInt = #line + 1
      let error = #expect(throws: ResolutionError.self) { try Depot().promisedParcel.require() }
      #expect(
        error?.description == """
          Nothing is registered for `promisedParcel: Parcel?`.

            requested:  DIContainerTests/FactoryKeyTests.swift:\(line)
            asked:      Depot
            close:      `promisedParcel: Parcel?` is registered in main \
          (DIContainerTests/FactoryKeyTests.swift:\(line - 2))

          To fix this:
            - Register it before it is requested: `container.promisedParcel.register { … }`.
            - If it is optional, resolve it as an optional: `let service = container.promisedParcel()`.
          """)
    }
  }

  @Test("One property that is declared in two places of a file is one service")
  func twoPlaces() {
    let container = Resolver()
    func declare(_ flag: Bool) -> Factory<String> {
      if flag { return Factory(container, key: "either") { "yes" } }
      return Factory(container, key: "either") { "no" }
    }
    #expect(declare(true)() == "yes")
    #expect(declare(false)() == "no")
    declare(true).register { "double" }
    #expect(declare(false)() == "double")
  }

  @Test("One property of every container that several lines declare is one service in each")
  func twoPlacesOfMany() {
    func declare<C: SharedContainer>(_ container: C, _ flag: Bool) -> Factory<String> {
      if flag { return Factory(container, key: "many") { "yes" } }
      return Factory(container, key: "many") { "no" }
    }
    let (container, depot) = (Resolver(), Depot())
    // The first that is seen of each is another line.
    #expect(declare(container, true)() == "yes")
    #expect(declare(depot, false)() == "no")
    declare(container, true).register { "container's double" }
    declare(depot, false).register { "depot's double" }
    #expect(declare(container, false)() == "container's double")
    #expect(declare(depot, true)() == "depot's double")
  }

  @Test("Two properties on one line are two services")
  func oneLine() {
    func key<C: ManagedContainer>(_ container: C, column: UInt) -> ServiceKey {
      Factory(container, key: "short", fileID: "One/Line.swift", line: 1, column: column) { "" }
        ._registration.serviceKey
    }
    #expect(key(Resolver(), column: 20) != key(Depot(), column: 80))
    #expect(key(Resolver(), column: 20) == key(Resolver(), column: 40))
  }

  @Test("A thousand properties are told apart, on many threads at once")
  func many() {
    let container = Resolver()
    onOwnThreads(4) { thread in
      for number in 0..<1_000 {
        let factory = Factory<Int>(
          container, key: "number", fileID: "Numbers/File.swift", line: UInt(number)
        ) { number }
        #expect(factory() == number)
      }
    }
  }
}
