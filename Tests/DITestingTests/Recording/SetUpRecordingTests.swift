import DIContainer
import DITesting
import Testing

private protocol Opening: AnyObject {}
private final class LiveOpening: Opening {}
private final class FakeOpening: Opening {}

/// An assembly that resolves what it registered.
private struct OpeningAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LiveOpening() as any Opening }
  }

  func loaded(resolver: Resolver) {
    _ = resolver.resolve((any Opening).self)
  }
}

/// An assembly that resolves what others registered.
private struct UsingAssembly: Assembly {
  let use: (any Opening) -> Void

  func assemble(container: Container) {}
  func loaded(resolver: Resolver) { use(resolver.resolve()) }
}

@Suite("What set-up code registers and resolves")
struct SetUpRecordingTests {
  private let recorder = ResolutionRecorder()

  @Test("is not recorded")
  func setUp() {
    withSandbox {
      withRecorder(recorder) { _ = Assembler([OpeningAssembly()]) }
    }
    #expect(recorder.events.isEmpty)
  }

  @Test("is recorded where a layer's closure applies the assembly to the layer")
  func layer() {
    withSandbox {
      withRecorder(recorder) {
        withLayer {
          _ = Assembler([OpeningAssembly()], container: $0)
        } operation: {
        }
      }
    }
    #expect(recorder.events.map(\.kind) == [.registered, .created])
  }

  @Test("is recorded where the test calls the assembly's functions")
  func called() {
    let shop = Container()
    withSandbox {
      withRecorder(recorder) {
        OpeningAssembly().assemble(container: shop)
        OpeningAssembly().loaded(resolver: shop)
      }
    }
    #expect(recorder.events.map(\.kind) == [.registered, .created])
  }

  @Test("is live where the assembly is applied, and a double where the test calls it")
  func resolved() {
    let shop = Container { $0.register { LiveOpening() as any Opening } }
    var resolved: [any Opening] = []
    let assembly = UsingAssembly { resolved.append($0) }
    withSandbox {
      shop.register { FakeOpening() as any Opening }
      _ = Assembler([assembly], container: shop)
      assembly.loaded(resolver: shop)
    }
    #expect(resolved.map { $0 is FakeOpening } == [false, true])
  }

  @Test("is a double where a layer's closure applies the assembly to the layer")
  func resolvedInLayer() {
    var resolved: [any Opening] = []
    withSandbox {
      Resolver.register { FakeOpening() as any Opening }
      withLayer {
        _ = Assembler([UsingAssembly { resolved.append($0) }], container: $0)
      } operation: {
      }
    }
    #expect(resolved.map { $0 is FakeOpening } == [true])
  }
}
