import DIContainer
@testable import DITesting
import Testing

private let assembled = Assembler([NetworkAssembly(), DiskAssembly()])
private let shop = Resolver { r in
  Assembler(container: r).apply(assembly: NetworkAssembly())
  r.register(Purchase.init)
}
private let shopLine: UInt = #line - 2

@Suite("A test without an assembly", .sandbox, .without(NetworkAssembly.self))
struct WithoutTests {
  @Test("has what other assemblies register, and nothing of it")
  func rest() {
    #expect(assembled.resolver.optional((any Gateway).self) == nil)
    #expect(assembled.resolver.optional(Archive.self) != nil)
    #expect(assembled.resolver.resolveMany((any Gateway).self).isEmpty)
    #expect(assembled.registrations.map(\.key.description) == ["Archive"])
  }

  @Test("is told by what needs it")
  func needed() throws {
    let line: UInt = #line + 1
    let error = #expect(throws: ResolutionError.self) { try shop.require(Purchase.self) }
    let note =
      "`NetworkAssembly` registers it (AmbientTests/BoundaryWorld.swift:"
      + "\(NetworkAssembly.line)), which the test leaves out"
    #expect(
      error?.description == """
        Nothing is registered for `any Gateway`.

          chain:      Purchase → any Gateway
          from:       AmbientTests/WithoutTests.swift:\(line)
          requested:  AmbientTests/WithoutTests.swift:\(shopLine)
          asked:      \(shop.core.label)
          note:       \(note)

        To fix this:
          - Register it: `register { … as any Gateway }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as \
        `(any Gateway)?`.
        """)
    let findings = #expect(throws: ValidationError.self) { try shop.validate() }?.findings
    #expect(findings?.map(\.kind) == [.missing])
  }

  @Test("replaces what it leaves out")
  func replaced() {
    let shop = Resolver { r in
      _ = Assembler([NetworkAssembly()], container: r)
      r.register(Purchase.init)
    }
    shop.register(replacing: true) { GatewayDouble() as any Gateway }
    #expect(shop.resolve(Purchase.self).gateway is GatewayDouble)
  }

  @Test("keeps doubles, and what lies below")
  func doubles() {
    let shop = Resolver { r in
      _ = Assembler([NetworkAssembly()], container: r)
      r.register(Purchase.init)
    }
    shop.register { GatewayDouble() as any Gateway }
    #expect(shop.resolve(Purchase.self).gateway is GatewayDouble)
    let inner = Resolver { r in r.register { LoggingGateway(inner: LiveGateway()) as any Gateway } }
    let outer = Resolver(child: inner) { r in _ = Assembler([NetworkAssembly()], container: r) }
    #expect(outer.resolve((any Gateway).self) is LoggingGateway)
    #expect(outer.resolveMany((any Gateway).self).count == 1)
  }

  @Test("has one that the test itself applies")
  func applied() {
    withLayer { layer in
      Assembler(container: layer).apply(assembly: NetworkAssembly())
    } operation: {
      #expect(Resolver.optional((any Gateway).self) != nil)
    }
  }
}
