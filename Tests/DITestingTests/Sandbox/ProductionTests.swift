@testable import DITesting
import DICompatibility
import Testing

private let shop = Resolver()

/// What production calls when it starts.
private enum AppWiring {
  static func register() {
    Resolver.register { LivePayments() as any Payments }
    Resolver.register { r in LiveMailer(payments: r.resolve()) as any Mailer }.scope(.cached)
    shop.register { "live" }
  }
}

private final class ShopAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LivePayments() as any Payments }
  }
}

private enum ShopPart: DIPart {
  static func load(container: Container) {
    container.register { LivePayments() as any Payments }
  }
}

@Suite("What a test has production register")
struct ProductionTests {
  @Test(
    "can be a single registration, in a trait",
    .sandbox { r in Resolver.production { r.register { LivePayments() as any Payments } } })
  func singleRegistration() {
    #expect(Resolver.main.registrations.map(\.isDouble) == [false])
  }

  @Test(
    "can wait, in a trait",
    .sandbox { r in
      await Resolver.production {
        await Task.yield()
        r.register { LivePayments() as any Payments }
      }
    })
  func waiting() async {
    #expect(Resolver.main.registrations.map(\.isDouble) == [false])
    let count = await Resolver.production {
      await Task.yield()
      Resolver.register(name: "card") { LivePayments() as any Payments }
      return Resolver.main.registrations.count
    }
    #expect(count == 2)
    await Resolver.production { await registerLater() }
    Resolver.production { Resolver.register(name: "gift") { LivePayments() as any Payments } }
    #expect(Resolver.main.registrations.map(\.isDouble) == [false, false, false, false])
  }

  private func registerLater() async {
    await Task.yield()
    Resolver.register(name: "cash") { LivePayments() as any Payments }
  }

  @Test("can be a single registration, in each form that opens a scope")
  func singleRegistrationInScopes() async {
    withSandbox { r in
      Resolver.production { r.register { LivePayments() as any Payments }.scope(.cached) }
    } operation: {
      #expect(currentLabel() == "live")
    }
    await withSandbox { r in
      Resolver.production { r.register { LivePayments() as any Payments } }
    } operation: {
      await Task.yield()
      #expect(currentLabel() == "live")
    }
    withLayer { r in
      Resolver.production { r.register { LivePayments() as any Payments } }
    } operation: {
      #expect(currentLabel() == "live")
    }
  }

  @Test("is there where it is applied after a reset, in the sandbox alone")
  func afterReset() {
    withSandbox {
      Resolver.reset()
      Assembler(container: .main).apply(assembly: ShopAssembly())
      #expect(currentLabel() == "live")
      #expect(Resolver.main.registrations.map(\.isDouble) == [false])
    }
    withSandbox {
      Resolver.reset()
      Resolver.main.append(part: ShopPart.self)
      #expect(currentLabel() == "live")
    }
    withSandbox {
      Resolver.reset()
      withSandbox {
        Resolver.main.append(part: ShopPart.self)
        #expect(currentLabel() == "live")
      }
    }
    #expect(Resolver.optional((any Payments).self) == nil)
  }

  @Test("is live in its sandbox, and gone with it")
  func live() {
    withSandbox {
      Resolver.production { AppWiring.register() }
      withRecorder(ResolutionRecorder()) {
        #expect(currentLabel() == "live")
        #expect(ResolutionRecorder.current?.events.last?.isDouble == false)
        #expect(shop.optional(String.self) == "live")
      }
    }
    #expect(shop.optional(String.self) == nil)
  }

  @Test("fails a strict test that resolves it")
  func strict() {
    withSandbox {
      Resolver.production { AppWiring.register() }
      withKnownIssue {
        withStrictness(.fail) { _ = currentLabel() }
      } matching: {
        $0.comments.first?.rawValue.hasPrefix("A live service was resolved: `any Payments`.")
          ?? false
      }
    }
  }

  @Test("is no double that is to be resolved")
  func unused() {
    #expect(findings { Resolver.production { AppWiring.register() } }.isEmpty)
  }

  @Test("goes under the doubles that are there, whichever comes first", arguments: [false, true])
  func underDoubles(isLater: Bool) {
    withSandbox {
      if !isLater { Resolver.production { AppWiring.register() } }
      Resolver.register { FakePayments() as any Payments }
      if isLater { Resolver.production { AppWiring.register() } }
      #expect(currentLabel() == "fake")
      #expect(Resolver.resolve((any Mailer).self).payments.label == "fake")
      withSandbox {
        Resolver.production { AppWiring.register() }
        #expect(currentLabel() == "fake")
      }
    }
  }

  @Test("goes under a double of a property too")
  func underPropertyDoubles() {
    withSandbox {
      ProductionDepot.shared.label.register { "fake" }
      Resolver.production { ProductionDepot.shared.label.register { "live" } }
      #expect(ProductionDepot.shared.label() == "fake")
    }
    withSandbox {
      Resolver.production { ProductionDepot.shared.label.register { "live" } }
      #expect(ProductionDepot.shared.label() == "live")
    }
    #expect(ProductionDepot.shared.label() == "declared")
  }

  @Test(
    "is so in a trait's closure, with the assemblies that it applies",
    .sandbox {
      let main = $0
      Resolver.production { _ = Assembler([ShopAssembly()], container: main) }
    }, .recorded)
  func trait() throws {
    #expect(currentLabel() == "live")
    let recorder = try #require(ResolutionRecorder.current)
    #expect(recorder.resolutions(of: (any Payments).self).map(\.isDouble) == [false])
  }
}

private final class ProductionDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension ProductionDepot {
  fileprivate var label: Factory<String> { self { "declared" } }
}
