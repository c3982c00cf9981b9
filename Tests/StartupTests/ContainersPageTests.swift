import DIContainer
import Testing

// The examples of Resolver's page on containers, in its order.

private class XYZSessionService {}
private final class XYZMockSessionService: XYZSessionService {}
private final class XYZNetworkService {
  let session: XYZSessionService
  init(session: XYZSessionService) { self.session = session }
}

extension Resolver {
  fileprivate static let mock = Resolver()
  fileprivate static let nestedMock = Resolver(child: main)
  fileprivate static let containerA = Resolver()
  fileprivate static let containerB = Resolver()

  fileprivate static func staticRegistration() {
    register { XYZNetworkService(session: resolve()) }
    register { XYZSessionService() }
  }

  fileprivate static func effectiveRegistration() {
    main.register { XYZNetworkService(session: root.resolve()) }
    main.register { XYZSessionService() }
  }

  fileprivate static func ownContainer() {
    mock.register { XYZNetworkService(session: mock.resolve()) }
    mock.register { XYZSessionService() }
  }

  fileprivate static func nestedContainer() {
    register { XYZNetworkService(session: resolve()) }
    register { XYZSessionService() }

    nestedMock.register { XYZMockSessionService() as XYZSessionService }
    root = nestedMock
  }

  fileprivate static func overwriting() {
    register { XYZNetworkService(session: resolve()) }
    register { XYZSessionService() }
    register { XYZMockSessionService() as XYZSessionService }
  }

  fileprivate static func partyTrick() {
    register { XYZNetworkService(session: resolve()) }
    register { XYZSessionService() }

    nestedMock.register { XYZMockSessionService() as XYZSessionService }
  }

  fileprivate static func multipleChildren() {
    main.add(child: containerA)
    main.add(child: containerB)
    containerA.register(name: "a") { "from A" }
    containerB.register(name: "a") { "from B" }
    containerB.register(name: "b") { "from B" }
    register(name: "main") { "from main" }
    containerA.register(name: "main") { "from A" }
  }
}

private class MyClass {
  var session: XYZNetworkService = Resolver.mock.resolve()
}

@Suite("Resolver's page on containers")
struct ContainersPageTests {
  @Test("The root is main until it is swapped")
  func mainContainer() async {
    await #expect(processExitsWith: .success) {
      #expect(Resolver.root === Resolver.main)
      let service: XYZNetworkService? = Resolver.optional()
      #expect(service == nil)
    }
  }

  @Test("Static registrations are found without anybody calling registerAllServices")
  func staticRegistration() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.staticRegistration() }
      let service = Resolver.resolve(XYZNetworkService.self)
      #expect(type(of: service.session) == XYZSessionService.self)
    }
  }

  @Test("Static functions pass the buck to main and root")
  func effectiveRegistration() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.effectiveRegistration() }
      let service: XYZNetworkService = Resolver.main.resolve()
      #expect(type(of: service.session) == XYZSessionService.self)
    }
  }

  @Test("A container of one's own is asked by name")
  func ownContainer() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.ownContainer() }
      #expect(type(of: MyClass().session.session) == XYZSessionService.self)
      let elsewhere: XYZNetworkService? = Resolver.main.optional()
      #expect(elsewhere == nil)
    }
  }

  @Test("A root that does not nest main has none of what is registered there")
  func rootApart() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.staticRegistration() }
      Resolver.root = Resolver.mock
      let lost: XYZSessionService? = Resolver.optional()
      #expect(lost == nil)
      Resolver.mock.register { XYZMockSessionService() as XYZSessionService }
      let found: XYZSessionService? = Resolver.optional()
      #expect(found is XYZMockSessionService)
    }
  }

  @Test("A root that nests main is searched first, and main for what it lacks")
  func nestedContainer() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.nestedContainer() }
      let service: XYZNetworkService = Resolver.resolve()
      #expect(service.session is XYZMockSessionService)
      let live: XYZSessionService = Resolver.main.resolve()
      #expect(!(live is XYZMockSessionService))
    }
  }

  @Test("A later registration overwrites an earlier one")
  func overwriting() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.overwriting() }
      let service: XYZNetworkService = Resolver.resolve()
      #expect(service.session is XYZMockSessionService)
    }
  }

  @Test("Party trick: the root is swapped for a while, and swapped back")
  func partyTrick() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.partyTrick() }
      func session() -> XYZSessionService { Resolver.resolve(XYZNetworkService.self).session }
      #expect(!(session() is XYZMockSessionService))
      Resolver.root = Resolver.nestedMock
      #expect(session() is XYZMockSessionService)
      Resolver.root = Resolver.main
      #expect(!(session() is XYZMockSessionService))
    }
  }

  @Test("Several children are searched in the order added, after main itself")
  func multipleChildren() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.multipleChildren() }
      #expect(Resolver.resolve(String.self, name: "main") == "from main")
      #expect(Resolver.resolve(String.self, name: "a") == "from A")
      #expect(Resolver.resolve(String.self, name: "b") == "from B")
    }
  }
}
