import DICompatibility
@testable import DIContainer
import Testing

private protocol Logger {
  var title: String { get }
}
private struct ConsoleLogger: Logger { var title = "console" }
private struct FileLogger: Logger { var title = "file" }
private struct SpyLogger: Logger { var title = "spy" }
private struct TitledLogger: Logger { let title: String }

extension Resolver {
  fileprivate var logs: [String] { resolveMany((any Logger).self).map(\.title) }
}

@Suite struct ManyTests {
  @Test func `Two components of one protocol are both there, in the order registered`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }.as((any Logger).self)
    shop.register { FileLogger() }.as((any Logger).self)

    let loggers: [any Logger] = shop.resolveMany()

    #expect(loggers.map(\.title) == ["console", "file"])
    #expect(shop.resolve((any Logger).self).title == "file")
  }

  @Test func `What the compiler checks is registered all the same, and not converted`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }.as(check: (any Logger).self) { $0 }
    shop.register { FileLogger() }
      .as(check: (any Logger).self, name: "file") { logger in
        Issue.record("the conversion ran")
        return logger
      }

    #expect(shop.resolve((any Logger).self).title == "console")
    #expect(shop.resolve((any Logger).self, name: "file").title == "file")
    #expect(shop.logs == ["console", "file"])
  }

  @Test func `Names and tags make no difference`() {
    enum Remote {}
    let shop = Resolver()
    shop.register(name: "console") { ConsoleLogger() as any Logger }
    shop.register { FileLogger() }.as((any Logger).self, tag: Remote.self)
    shop.register { SpyLogger() as any Logger }
    #expect(shop.logs == ["console", "file", "spy"])
    #expect(shop.resolve((any Logger).self, tag: Remote.self).title == "file")
    let maybe: (any Logger)? = shop.resolve(tag: Remote.self)
    #expect(maybe?.title == "file")
    let none: SpyLogger? = shop.resolve(tag: Remote.self)
    #expect(none == nil)
  }

  @Test func `A list of optionals holds the services that they wrap`() throws {
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register(name: "file") { FileLogger() as any Logger }
    shop.register(name: "none") { () -> (any Logger)? in nil }
    let logs: [(any Logger)?] = shop.resolveMany()
    #expect(logs.map { $0?.title } == ["console", "file"])
    let many: [(any Logger)?] = shop.resolveMany()
    #expect(many.map { $0?.title } == ["console", "file"])
    let required: [(any Logger)??] = try shop.requireMany()
    #expect(required.map { $0??.title } == ["console", "file"])
    let seen: [(any Logger)?] = Assembler(container: shop).resolver.resolveMany()
    #expect(seen.map { $0?.title } == ["console", "file"])
    let none: [Int?] = shop.resolveMany()
    #expect(none == [])
  }

  @Test func `What is registered as an optional stands in a list of optionals alone`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register((any Logger)?.self) { .some(.some(FileLogger())) }
    let logs: [(any Logger)?] = shop.resolveMany()
    #expect(logs.map { $0?.title } == ["file"])
  }

  @Test func `A container's own come before those of its parents`() {
    let parent = Resolver()
    parent.register { ConsoleLogger() as any Logger }
    let child = Resolver(parent: parent)
    child.register { FileLogger() as any Logger }
    #expect(child.logs == ["file", "console"])
    #expect(parent.logs == ["console"])
  }

  @Test func `A container that is reached in two ways counts once`() {
    let base = Resolver()
    base.register { ConsoleLogger() as any Logger }
    let shop = Resolver(parent: Resolver(parent: base))
    shop.add(child: Resolver(parent: base))
    #expect(shop.logs == ["console"])
  }

  @Test func `A service that is registered for the type twice counts once`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }
      .as((any Logger).self)
      .as((any Logger).self, name: "console")
    #expect(shop.logs == ["console"])
  }

  @Test func `A site that two containers share counts once`() {
    func wire(_ container: Resolver) {
      container.register { ConsoleLogger() as any Logger }.lifetime(.single)
    }
    let parent = Resolver()
    let child = Resolver(parent: parent)
    wire(parent)
    wire(child)
    #expect(child.logs == ["console"])
  }

  @Test func `Registering a key again replaces, implementing a protocol adds`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register { FileLogger() as any Logger }
    #expect(shop.logs == ["file"])
    shop.register { SpyLogger() }.as((any Logger).self)
    #expect(shop.logs == ["file", "spy"])
  }

  @Test func `A reset releases the instance of what another's alias stands beside`() {
    final class Till: Sendable {}
    final class OnlineTill: Sendable {}
    let shop = Resolver()
    shop.register { Till() as any Sendable }.scope(.cached)
    shop.register { OnlineTill() }.implements((any Sendable).self)
    func till() -> Till? {
      shop.resolveMany((any Sendable).self).lazy.compactMap { $0 as? Till }.first
    }

    let first = till()
    #expect(till() === first)
    shop.manager.reset(scope: .cached)
    #expect(till() != nil && till() !== first)
  }

  @Test func `Applying the same wiring twice gives each service once`() {
    let shop = Resolver()
    for _ in 1...2 {
      shop.register { ConsoleLogger() }.as((any Logger).self)
      shop.register { FileLogger() }.as((any Logger).self)
    }
    #expect(shop.logs == ["console", "file"])
  }

  @Test func `What was changed after it was displaced is changed for many too`() {
    let shop = Resolver()
    var made = 0
    let counted = shop.register { () -> any Logger in
      made += 1
      return ConsoleLogger()
    }
    shop.register { FileLogger() }.as((any Logger).self)
    counted.scope(.cached)
    _ = shop.logs
    _ = shop.logs
    #expect(made == 1)
  }

  @Test func `Removing a service takes its aliases along, removing the protocol takes all`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }.as((any Logger).self)
    shop.register { FileLogger() }.as((any Logger).self)
    shop.remove(ConsoleLogger.self)
    #expect(shop.logs == ["file"])
    shop.remove((any Logger).self)
    #expect(shop.logs == [])
  }

  @Test func `A service may be composed of all the others`() {
    struct CompositeLogger: Logger {
      let loggers: [any Logger]
      var title: String { loggers.map(\.title).joined(separator: "+") }
    }
    let shop = Resolver()
    shop.register { ConsoleLogger() }.as((any Logger).self)
    shop.register { FileLogger() }.as((any Logger).self)
    shop.register { r in CompositeLogger(loggers: r.resolveMany()) }.as((any Logger).self)
    #expect(shop.resolve((any Logger).self).title == "console+file")
    #expect(shop.logs == ["console", "file", "console+file"])
  }

  @Test func `Arguments reach every factory`() {
    let shop = Resolver()
    for name in ["a", "b"] as [Resolver.Name] {
      shop.register((any Logger).self, name: name) { _, args in
        TitledLogger(title: "\(name) \(args("where") as String)")
      }
    }
    let titles = shop.resolveMany((any Logger).self, args: ["where": "here"]).map(\.title)
    #expect(titles == ["a here", "b here"])
  }

  @Test func `One that cannot be had is thrown with its chain`() throws {
    struct Broken: Logger {
      let file: FileLogger
      var title: String { "broken" }
    }
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register(Broken.init).as((any Logger).self)
    let error = #expect(throws: ResolutionError.self) {
      try shop.requireMany((any Logger).self)
    }
    #expect(error?.chain.map(\.description) == ["any Logger", "FileLogger"])
  }

  @Test func `A view that only resolves has the same verbs as the container`() throws {
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register(name: "file") { FileLogger() as any Logger }
    let view = Assembler(container: shop).resolver
    let loggers: [any Logger] = view.resolveMany()
    #expect(loggers.map(\.title) == ["console", "file"])
    #expect(view.resolveMany((any Logger).self).map(\.title) == ["console", "file"])
    #expect(try view.requireMany((any Logger).self).map(\.title) == ["console", "file"])
    #expect(try shop.requireMany((any Logger).self).map(\.title) == ["console", "file"])
  }

  @Test func `Nothing registered is an empty list`() {
    #expect(Resolver().logs == [])
  }

  @Test func `In a sandbox a double stands in the place of all that its key hides`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }.as((any Logger).self)
    shop.register { FileLogger() }.as((any Logger).self)
    shop.register(name: "audit") { TitledLogger(title: "audit") as any Logger }
    let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
    ContextFrame.$bound.withValue(sandbox) {
      shop.register { SpyLogger() as any Logger }
      #expect(shop.logs == ["audit", "spy"])
    }
    #expect(shop.logs == ["console", "file", "audit"])
  }

  @Test func `A layer's come first, and hide what has their key`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() as any Logger }
    shop.register(name: "audit") { TitledLogger(title: "audit") as any Logger }
    let layer = Resolver()
    layer.register { SpyLogger() as any Logger }
    let root = ContextFrame(.root, parent: nil, installed: shop, caches: .all)
    let frame = ContextFrame(.layer, parent: root, installed: layer, caches: .all)
    ContextFrame.$bound.withValue(frame) {
      #expect(shop.logs == ["spy", "audit"])
      #expect(Resolver.root.resolveMany((any Logger).self).map(\.title) == ["spy", "audit"])
    }
  }

  @Test func `What implements a protocol again stands there once`() {
    let shop = Resolver()
    shop.register { ConsoleLogger() }.implements((any Logger).self)
    shop.register { FileLogger() }.implements((any Logger).self)
    shop.register { ConsoleLogger(title: "console again") }.implements((any Logger).self)

    #expect(Set(shop.logs) == ["file", "console again"])
    #expect(shop.logs.count == 2)
  }

  @Test func `A container's own instance of what lies below it is not the one of that below`() {
    final class Till {}
    let store = Resolver { $0.register { Till() }.scope(.container) }
    let shop = Resolver(child: store)
    let own = shop.resolve(Till.self)
    let below = store.resolve(Till.self)

    #expect(own !== below)
    for _ in 0..<3 {
      #expect(shop.resolve(Till.self) === own)
      #expect(store.resolve(Till.self) === below)
    }
  }
}
