import DICompatibility
import DIContainer
import Testing

extension Container {
  fileprivate var catalog: Factory<String> { self { "live" } }
  fileprivate var declared: Factory<String> {
    self { "live" }.onPreview { "samples" }.onSimulator { "simulated" }
  }
}

@Suite("Contexts")
struct FactoryContextTests {
  /// A container in a process that none of the contexts holds for.
  private func inProcess(
    _ change: (inout FactoryContext) -> Void, _ body: (Resolver) -> Void
  ) {
    inSandbox {
      FactoryContext.set(change)
      body(Resolver())
    }
  }

  @Test("An argument that is set outside every sandbox is the process's")
  func ofProcess() async {
    await #expect(processExitsWith: .success) {
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(FactoryContext.current.runtimeArguments == ["mode": "offline"])
      FactoryContext.removeArg(forKey: "mode")
      #expect(FactoryContext.current.runtimeArguments.isEmpty)
    }
  }

  @Test("onPreview answers in previews")
  func preview() {
    inProcess {
      $0.isPreview = true
    } _: { container in
      container.catalog.onPreview { "samples" }
      #expect(container.catalog() == "samples")
      #expect(container.declared() == "samples")
    }
    inProcess { _ in
    } _: { container in
      container.catalog.onPreview { "samples" }
      #expect(container.catalog() == "live")
    }
  }

  @Test("onSimulator answers in simulators, onDevice everywhere else")
  func simulatorAndDevice() {
    func register(_ container: Resolver) {
      container.catalog.onSimulator { "simulated" }.onDevice { "of the device" }
    }
    inProcess { _ in
    } _: { container in
      register(container)
      #expect(container.catalog() == "simulated")
      #expect(container.declared() == "simulated")
    }
    inProcess {
      $0.isSimulator = false
    } _: { container in
      register(container)
      #expect(container.catalog() == "of the device")
      #expect(container.declared() == "live")
    }
  }

  @Test("onDebug answers in debug builds where nothing else holds")
  func debug() {
    for isDebug in [true, false] {
      inProcess {
        $0.isDebug = isDebug
      } _: { container in
        container.catalog.onDebug { "debug" }
        #expect(container.catalog() == (isDebug ? "debug" : "live"))
      }
    }
  }

  @Test("Arguments come first, then previews, tests, simulators or devices, and debugging")
  func order() {
    let all: (Resolver) -> Void = { container in
      container.catalog
        .onDebug { "debug" }.onDevice { "device" }.onSimulator { "simulator" }.onTest { "test" }
        .onPreview { "preview" }.onArg("offline") { "argument" }
    }
    var changes: [(inout FactoryContext) -> Void] = [
      { $0.isDebug = true }, { $0.isSimulator = false }, { $0.isSimulator = true },
      { $0.isTest = true }, { $0.isPreview = true }, { $0.arguments.append("offline") },
    ]
    var answers: [String] = []
    while changes.count > 1 {
      inProcess { context in
        for change in changes { change(&context) }
      } _: { container in
        all(container)
        answers.append(container.catalog())
      }
      changes.removeLast()
    }
    #expect(answers == ["argument", "preview", "test", "simulator", "device"])
  }

  @Test("One closure may answer in several contexts")
  func several() {
    for isPreview in [true, false] {
      inProcess {
        $0.isPreview = isPreview
        $0.isTest = !isPreview
      } _: { container in
        container.catalog.context(.preview, .test) { "samples" }
        #expect(container.catalog() == "samples")
      }
    }
    inProcess { _ in
    } _: { container in
      container.catalog.context(.preview, .test) { "samples" }
      #expect(container.catalog() == "live")
    }
  }

  @Test("Contexts are taken back with the rest, or alone")
  func reset() {
    inProcess {
      $0.isPreview = true
    } _: { container in
      container.catalog.register { "registered" }
      container.catalog.onPreview { "samples" }
      container.catalog.reset(.context)
      #expect(container.catalog() == "registered")
      container.catalog.onPreview { "samples" }
      container.catalog.reset()
      #expect(container.catalog() == "live")
    }
  }
}
