import DICompatibility
@testable import DIContainer
import Testing

private protocol Network {
  var title: String { get }
}
private struct LiveNetwork: Network { var title = "live" }
private struct MockNetwork: Network { var title = "mock" }
private struct Client { let network: any Network }

private struct NetworkAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LiveNetwork() as any Network }
  }
}
private struct MockNetworkAssembly: Assembly {
  func assemble(container: Container) {
    container.register { MockNetwork() as any Network }
  }
}
private struct ClientAssembly: Assembly {
  func assemble(container: Container) {
    container.register(Client.init)
  }
}

private func title(_ resolver: any ServiceResolver) -> String? {
  (resolver.resolve((any Network).self) as (any Network)?)?.title
}

@Suite struct AssemblerTests {
  @Test func `A child's assemblies override its parent's, and the parent stays as it is`() {
    let parent = Assembler([NetworkAssembly(), ClientAssembly()])
    let child = Assembler([MockNetworkAssembly()], parent: parent)
    #expect(child.resolver.resolve(Client.self)!.network.title == "mock")
    #expect(parent.resolver.resolve(Client.self)!.network.title == "live")
  }

  @Test func `An assembler checks the wiring of all that it assembled`() throws {
    let assembler = Assembler([ClientAssembly()])
    let error = #expect(throws: ValidationError.self) { try assembler.validate() }
    #expect(error?.findings.map(\.kind) == [.missing])
    #expect(error?.findings.first?.key == ServiceKey((any Network).self))

    let child = Assembler([ClientAssembly()], parent: Assembler([NetworkAssembly()]))
    let report = try child.validate(roots: [Client.self], dryRun: true)
    #expect(report.findings.isEmpty)
    #expect(child.registrations.map(\.key.description) == ["Client", "any Network"])
    let graph = child.graph
    #expect(graph.keys.map(\.description) == ["Client", "any Network"])
    #expect(
      graph.dependencies(of: ServiceKey(Client.self)).map(\.description) == ["any Network"])
    #expect(graph.dependencies(of: ServiceKey((any Network).self)) == [])
  }

  @Test func `A later assembly overrides an earlier one`() {
    let assembler = Assembler([NetworkAssembly()])
    assembler.apply(assembly: MockNetworkAssembly())
    #expect(title(assembler.resolver) == "mock")
  }

  @Test func `All spellings of applying do the same`() {
    let journal = LoadingJournal()
    let assembler = Assembler(parentAssembler: nil)
    assembler.apply(assembly: LoadingAssembly("1", journal))
    assembler.applyAssembly(LoadingAssembly("2", journal))
    assembler.apply(assemblies: [LoadingAssembly("3", journal)])
    assembler.applyAssemblies([LoadingAssembly("4", journal)])
    assembler.addAssemblies([LoadingAssembly("5", journal)])
    #expect(journal.entries == (1...5).flatMap { ["assemble \($0)", "loaded \($0)"] })
  }

  @Test func `The view that it gives out is no container`() {
    let resolver = Assembler([NetworkAssembly()]).resolver
    #expect(!(resolver is Resolver))
    #expect(resolver.resolveMany((any Network).self).count == 1)
    #expect(throws: ResolutionError.self) { try resolver.require(Client.self) }
  }

  @Test func `What an assembly registers while a sandbox is current is base state`() {
    let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
    let assembler = ContextFrame.$bound.withValue(sandbox) {
      Assembler([NetworkAssembly()])
    }
    #expect(title(assembler.resolver) == "live")
    ContextFrame.$bound.withValue(sandbox) { assembler.apply(assembly: ClientAssembly()) }
    #expect(assembler.resolver.resolve(Client.self) as Client? != nil)
  }

  @Test func `In a test's closure an assembly registers doubles`() {
    let container = Resolver()
    let assembler = Assembler([NetworkAssembly()], container: container)
    let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
    ContextFrame.$bound.withValue(sandbox) {
      RegisteringContext.with({ $0.assembliesAreDoubles = true }) {
        assembler.apply(assembly: MockNetworkAssembly())
      }
      #expect(title(assembler.resolver) == "mock")
      #expect(container.registrations.map(\.isDouble) == [true])
    }
    #expect(title(assembler.resolver) == "live")
  }

  @Test func `An assembler that is given a layer registers doubles in it`() {
    let root = Resolver { r in r.register { LiveNetwork() as any Network } }
    let layer = Resolver(core: ContainerCore(location: CodeLocation(), holdsDoubles: true))
    let frame = ContextFrame(
      .layer, parent: ContextFrame(.root, parent: nil, installed: root), installed: layer,
      caches: .all)
    ContextFrame.$bound.withValue(frame) {
      _ = Assembler([MockNetworkAssembly()], container: layer)
      #expect(title(root) == "mock")
      #expect(root.registrations.map(\.isDouble) == [true])
    }
    #expect(title(root) == "live")
  }
}
