import DITesting
import Testing

private final class PathGateway {}
private final class PathTerminal {
  let gateways: [PathGateway?]
  init(_ gateways: [PathGateway?]) { self.gateways = gateways }
}

extension Container {
  fileprivate var pathGateway: Factory<PathGateway> { self { PathGateway() } }
  fileprivate var pathSpare: Factory<PathGateway?> { self { nil } }
  fileprivate var pathShared: Factory<PathGateway?> { self { nil }.graph }
  fileprivate var pathTerminal: Factory<PathTerminal> {
    self { PathTerminal([self.pathShared(), self.pathShared()]) }
  }
}

/// The first request for a property takes the slow path, later ones the fast path.
@Suite("A property's service is the same at its first request and at later ones", .sandbox)
struct PropertyPathTests {
  @Test("What a property of a scoped root declares is recorded as live")
  func declared() {
    let recorder = ResolutionRecorder()
    let root = Container()
    withRoot(root) {
      withRecorder(recorder) { for _ in 1...3 { _ = root.pathGateway() } }
    }
    #expect(recorder.events.map(\.isDouble) == [false, false, false])
  }

  @Test("Nil is recorded as no instance")
  func recordedNil() {
    let recorder = ResolutionRecorder()
    let container = Container()
    withRecorder(recorder) { for _ in 1...3 { _ = container.pathSpare() } }
    #expect(recorder.events.map(\.kind) == [.missed, .missed, .missed])
  }

  @Test("A resolution cycle does not share nil")
  func cycle() {
    let container = Container()
    let calls = Lock(0)
    container.pathShared.register {
      calls.withLock {
        $0 += 1
        return $0 == 1 ? nil : PathGateway()
      }
    }
    let terminal = container.pathTerminal()
    #expect(terminal.gateways.map { $0 == nil } == [true, false])
  }
}
