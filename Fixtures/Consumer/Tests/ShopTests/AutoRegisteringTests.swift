import DICompatibility
import DITesting
import Testing

// A `Container` registers on its own for a whole process, so this is tested in a package apart.

private protocol Greeting: Sendable {
  var text: String { get }
}

private struct Hello: Greeting {
  let text: String
}

private struct Bell: Sendable {}

extension Container: @retroactive AutoRegistering {
  public func autoRegister() {
    register { Hello(text: "automatic") as any Greeting }
    registerAsync(factory: { Bell() })
    greeter.register { Hello(text: "automatic") }
  }
}

@Suite("A container that registers by type on its own")
struct AutoRegisteringTests {
  @Test("does so before the first request, be it by type")
  func request() {
    #expect(Container().resolve((any Greeting).self).text == "automatic")
    #expect(Container().optional((any Greeting).self) != nil)
  }

  @Test("does so before the first request that waits")
  func waitingRequest() async throws {
    _ = try await Container().requireAsync(Bell.self)
  }

  @Test("does so before the first request for all of a type")
  func requestForAll() {
    #expect(Container().resolveMany((any Greeting).self).count == 1)
  }

  @Test("shows what it registered in its graph, and has it checked")
  func graph() throws {
    #expect(Container().graph.keys.contains { $0.type == (any Greeting).self })
    try Container().validate(roots: [(any Greeting).self], dryRun: true)
  }

  @Test("lists what it registered")
  func registrations() {
    #expect(Container().registrations.contains { $0.key.type == (any Greeting).self })
  }

  @Test("leaves what was registered before as it is")
  func explicit() {
    let container = Container()
    container.register { Hello(text: "explicit") as any Greeting }
    #expect(container.resolve((any Greeting).self).text == "explicit")
    _ = container.greeter()
    #expect(container.resolve((any Greeting).self).text == "explicit")
  }

  @Test("is asked by a property that is injected by type")
  func injected() {
    struct Desk {
      @InjectedType(Container()) var greeting: (any Greeting)?
    }
    #expect(Desk().greeting?.text == "automatic")
  }
}

@Suite("A container that is nested in another one, and registers on its own,")
struct NestedAutoRegisteringTests {
  private let child = Container()

  @Test("does so again after it was reset")
  func reset() {
    let container = Resolver(child: Resolver(child: child))
    #expect(container.greeter().text == "automatic")
    child.reset()
    #expect(container.greeter().text == "automatic")
  }

  @Test("does so again where a sandbox has reset it")
  func resetInSandbox() {
    let container = Resolver(child: child)
    #expect(container.greeter().text == "automatic")
    withSandbox {
      child.reset()
      #expect(container.greeter().text == "automatic")
    }
  }

  @Test("does so if it was added later")
  func addedLater() {
    let container = Resolver(child: child)
    _ = container.greeter()
    child.greeter.reset()
    child.remove((any Greeting).self)
    #expect(container.greeter().text == "declared")
    container.add(child: Resolver(child: Container()))
    #expect(container.greeter().text == "automatic")
    #expect(container.optional((any Greeting).self)?.text == "automatic")
  }

  @Test("does so if a sandbox has added it")
  func addedInSandbox() {
    let container = Resolver(child: child)
    _ = container.greeter()
    child.greeter.reset()
    child.remove((any Greeting).self)
    withSandbox {
      container.add(child: Container())
      #expect(container.greeter().text == "automatic")
      #expect(container.optional((any Greeting).self)?.text == "automatic")
    }
    #expect(container.greeter().text == "declared")
  }

  @Test("does so in place of the one that nests it, be it in a sandbox alone")
  func nestingInSandbox() {
    let container = Resolver()
    child.greeter.register { Hello(text: "child") }
    withSandbox {
      container.add(child: child)
      #expect(container.greeter().text == "child")
    }
    #expect(container.greeter().text == "automatic")
  }
}

@Suite("Containers that register on their own, when they are reset,")
struct ResetAutoRegisteringTests {
  @Test("do so again after `Resolver.reset()`")
  func main() async {
    await #expect(processExitsWith: .success) {
      #expect(Container.shared.greeter().text == "automatic")
      Resolver.reset()
      #expect(Container.shared.greeter().text == "automatic")
      Resolver.reset()
      #expect(Resolver.optional((any Greeting).self)?.text == "automatic")
    }
  }

  @Test("do so again after `Resolver.reset()` in a sandbox")
  func mainInSandbox() {
    withSandbox {
      #expect(Container.shared.greeter().text == "automatic")
      Resolver.reset()
      #expect(Container.shared.greeter().text == "automatic")
      Resolver.reset()
      #expect(Resolver.optional((any Greeting).self)?.text == "automatic")
      Resolver.reset()
      Container.shared.greeter.register { Hello(text: "double") }
      #expect(Container.shared.greeter().text == "double")
    }
  }

  @Test("do not if they are layers")
  func layer() {
    withSandbox {
      Container.shared.greeter.register { Hello(text: "double") }
      withLayer { layer in
        layer.reset()
        _ = layer.greeter()
      } operation: {
        #expect(Container.shared.greeter().text == "double")
      }
    }
  }
}

extension Container {
  fileprivate var greeter: Factory<Hello> { self { Hello(text: "declared") } }
}
