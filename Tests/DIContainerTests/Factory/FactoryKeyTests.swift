import DIContainer
import Testing

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

  @Test("A thousand properties are told apart, on many threads at once")
  func many() {
    let container = Resolver()
    onThreads(4) { thread in
      for number in 0..<1_000 {
        let factory = Factory<Int>(
          container, key: "number", fileID: "Numbers/File.swift", line: UInt(number)
        ) { number }
        #expect(factory() == number)
      }
    }
  }
}
