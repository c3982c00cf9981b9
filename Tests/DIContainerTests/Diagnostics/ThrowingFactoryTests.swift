import DITesting
import Testing

@testable import DIContainer

private struct NoStock: Error, CustomStringConvertible {
  var description: String { "no stock" }
}

private protocol Labels: AnyObject {}
private final class Label: Labels {}

extension Container {
  fileprivate static var declaration: Int { Int(#line) + 1 }
  fileprivate var label: Factory<Label> { self { throw NoStock() } }
}

@Suite("A factory that throws")
struct ThrowingFactoryTests {
  enum Context: CaseIterable, CustomTestStringConvertible {
    case outside, sandbox, recorder

    var testDescription: String { "\(self)" }

    func run(_ operation: () -> String?) -> String? {
      switch self {
      case .outside: operation()
      case .sandbox:
        ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
          operation()
        }
      case .recorder: withRecorder(ResolutionRecorder()) { operation() }
      }
    }
  }

  private func text(requested: Int, registered: Int, of service: String = "Label") -> String {
    """
    The factory of `\(service)` threw: no stock

      requested:   \(#fileID):\(requested)
      registered:  \(#fileID):\(registered)

    To fix this:
      - Handle the error where the service is resolved, or in the factory.
    """
  }

  @Test(
    "is named with its registration, whatever the scope and wherever it runs",
    arguments: Context.allCases, [Scope.unique, .graph, .cached, .shared])
  func byType(context: Context, scope: Scope) {
    let resolver = Resolver()
    let line = #line + 1
    resolver.register { () -> Label in throw NoStock() }.scope(scope)
    let error = context.run { message { try resolver.require(Label.self) } }
    #expect(error == text(requested: line + 1, registered: line))
  }

  @Test(
    "is named with its registration where a protocol is asked for that it implements",
    arguments: Context.allCases, [Scope.unique, .graph])
  func byProtocol(context: Context, scope: Scope) {
    let resolver = Resolver()
    var isSoldOut = false
    let line = #line + 1
    resolver.register { () -> Label in
      if isSoldOut { throw NoStock() }
      return Label()
    }.implements((any Labels).self).scope(scope)
    let error = context.run {
      // What an instance looks like as the protocol is known from the second request on.
      for _ in 0..<2 { _ = resolver.resolve((any Labels).self) }
      isSoldOut = true
      return message { try resolver.require((any Labels).self) }
    }
    #expect(error == text(requested: line + 8, registered: line, of: "any Labels"))
  }

  @Test(
    "is named with its declaration where it is asked for by key path", arguments: Context.allCases)
  func byKeyPath(context: Context) {
    let container = Container()
    _ = context.run { message { try container.label.require() } }
    let line = #line + 1
    let error = context.run { message { try container.label.require() } }
    #expect(error == text(requested: line, registered: Container.declaration, of: "label: Label"))
  }

  @Test("is named with its declaration on the short path, too")
  func byKeyPathOnShortPath() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = Container()
      // From its second request on, a property takes the short path.
      _ = try? container.label.require()
      _ = container.label()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("ThrowingFactoryTests.swift:\(Container.declaration)"), "\(text)")
  }

  @Test("is named, and not what it registered in its place")
  func replaced() async {
    // In a process of its own, where the short path is open.
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register(Label.self, line: 1) { r in
        r.register(Label.self, line: 2) { Label() }
        throw NoStock()
      }
      let error = #expect(throws: ResolutionError.self) { try resolver.require(Label.self) }
      #expect(error?.registeredAt?.line == 1)
    }
  }

  private func message(_ operation: () throws -> Any) -> String? {
    do {
      _ = try operation()
      return nil
    } catch {
      return (error as? ResolutionError)?.description
    }
  }
}
