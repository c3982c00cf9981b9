import DITesting
import Testing

private class SessionService { var label: String { "live" } }
private final class MockSessionService: SessionService { override var label: String { "mock" } }

private final class NetworkService {
  let session: SessionService
  init(session: SessionService) { self.session = session }
}

private final class Screen {
  @Injected var network: NetworkService
  @LazyInjected var session: SessionService
}

extension Resolver {
  fileprivate static let partyMock = Resolver(child: main)

  fileprivate static func registerParty() {
    register { NetworkService(session: resolve()) }
    register { SessionService() }
    partyMock.register { MockSessionService() as SessionService }
  }
}

// The "Party Trick?" of Resolver's page on containers: both registrations are kept, and the right
// one is used at the right time.
@Suite("The party trick", .sandbox)
struct PartyTrickTests {
  @Test("switches to the mocks on entering a section, and back on leaving it")
  func assigning() {
    Resolver.registerParty()
    #expect(Screen().network.session.label == "live")

    Resolver.root = .partyMock
    let screen = Screen()
    #expect(screen.network.session.label == "mock")
    #expect(screen.session.label == "mock")

    Resolver.root = .main
    #expect(Screen().network.session.label == "live")
  }

  @Test("is a scope")
  func scoped() {
    Resolver.registerParty()
    withRoot(.partyMock) { #expect(Screen().network.session.label == "mock") }
    #expect(Screen().network.session.label == "live")
  }

  @Test("is a push and a pop of the same container")
  func pushed() {
    Resolver.registerParty()
    let layer = Resolver.push(.partyMock)
    #expect(Screen().network.session.label == "mock")
    #expect(Resolver.main.resolve(NetworkService.self).session.label == "mock")
    Resolver.pop(layer)
    #expect(Screen().network.session.label == "live")
  }
}
