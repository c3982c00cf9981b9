import AsyncHTTPClient
import DITesting
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Testing
import Tracing

/// Doubles of protocols that were not written for this; `.ci/doubles` generates them.
@Suite(.sandbox) nonisolated struct ServersTests {
  private let request = Request(
    head: HTTPRequest(method: .get, scheme: "http", authority: "shop", path: "/tea"),
    body: RequestBody(buffer: ByteBuffer()))

  @Test("A router's middleware is told the request, and what it returns is the response")
  func middleware() async throws {
    let middleware = RouterMiddlewareDouble<Int>()
    middleware.handle.returns(Response(status: .accepted))

    let response = try await middleware.handle(request, context: 5) { _, _ in Response(status: .ok)
    }

    #expect(response.status == .accepted)
    expectCalled(middleware.handle, times: 1) { $0.input.uri.path == "/tea" && $0.context == 5 }
  }

  @Test("A responder throws what it was told to")
  func responder() async throws {
    let responder = HTTPResponderDouble<Int>()
    responder.respond.throws(HTTPError(.notFound))
    await #expect(throws: HTTPError.self) {
      try await responder.respond(to: request, context: 1)
    }
    expectCalled(responder.respond, times: 1)
  }

  @Test("A store of a server returns values of the type that is asked for")
  func persistence() async throws {
    let store = PersistDriverDouble()
    store.get.returns("Ann")
    #expect(try await store.get(key: "customer", as: String.self) == "Ann")
    try await store.set(key: "customer", value: "Ben", expires: nil)
    #expect(store.set.calls.first?.value as? String == "Ben")
  }

  @Test("What a body writer was told is heard")
  func body() async throws {
    let double = ResponseBodyWriterDouble()
    var writer: any ResponseBodyWriter = double
    try await writer.write(ByteBuffer(string: "tea"))
    try await writer.write(contentsOf: [ByteBuffer(string: "milk")])
    try await writer.finish(nil)
    #expect(double.write.calls.map { String(buffer: $0) } == ["tea", "milk"])
    expectCalls(inOrder: double.write, double.finish)
  }

  @Test("A client's delegate hears the parts of a response")
  func delegate() {
    let delegate = HTTPClientResponseDelegateDouble<Int>()
    func deliver(to delegate: some HTTPClientResponseDelegate) -> Bool {
      delegate is HTTPClientResponseDelegateDouble<Int>
    }
    #expect(deliver(to: delegate))
    expectNotCalled(delegate.didFinishRequest)
  }

  @Test("An instrument leaves the context as it is, or returns another")
  func instrument() {
    let instrument = InstrumentDouble()
    instrument.inject(.topLevel, into: &carrier, using: InjectorDouble<[String: String]>())
    expectCalled(instrument.inject, times: 1)
  }
  private var carrier: [String: String] {
    get { [:] }
    nonmutating set {}
  }

  @Test("A channel that belongs to a pipeline is a double, with what is written by hand")
  func channels() {
    let channel = ChannelDouble()
    channel.getIsActive.returns(true)
    channel.getAllocator.returns(ByteBufferAllocator())
    let service: any Channel = channel
    #expect(service.isActive)
    #expect(service.allocator.buffer(string: "tea").readableBytes == 3)
  }
}
