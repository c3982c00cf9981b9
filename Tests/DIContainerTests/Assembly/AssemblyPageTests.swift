import DIContainer
import Foundation
import Testing

// The examples of Swinject's page on assemblies, as they stand there but for `any` before
// protocols, which this package's own settings ask for, and `.main` for `.mainBundle()`. The page's
// logger is a singleton; here each test brings its own.

private protocol FooServiceProtocol {}
private protocol BarServiceProtocol {}
private protocol FooManagerProtocol { var service: any FooServiceProtocol { get } }
private protocol BarManagerProtocol { var service: any BarServiceProtocol { get } }
private final class FooService: FooServiceProtocol {}
private final class BarService: BarServiceProtocol {}
private struct FooManager: FooManagerProtocol { let service: any FooServiceProtocol }
private struct BarManager: BarManagerProtocol { let service: any BarServiceProtocol }

private class ServiceAssembly: Assembly {
  func assemble(container: Container) {
    container.register((any FooServiceProtocol).self) { r in
      return FooService()
    }
    container.register((any BarServiceProtocol).self) { r in
      return BarService()
    }
  }
}

private class ManagerAssembly: Assembly {
  func assemble(container: Container) {
    container.register((any FooManagerProtocol).self) { r in
      return FooManager(service: r.resolve((any FooServiceProtocol).self)!)
    }
    container.register((any BarManagerProtocol).self) { r in
      return BarManager(service: r.resolve((any BarServiceProtocol).self)!)
    }
  }
}

private protocol LogHandler {
  func log(message: String) -> String
}
private struct ConsoleLogHandler: LogHandler {
  func log(message: String) -> String { "console: \(message)" }
}
private struct FileLogHandler: LogHandler {
  func log(message: String) -> String { "file: \(message)" }
}

private class Logger {
  var logHandlers = [any LogHandler]()
  func addHandler(logHandler: any LogHandler) { logHandlers.append(logHandler) }
  func log(message: String) -> [String] { logHandlers.map { $0.log(message: message) } }
}

private class LoggerAssembly: Assembly {
  let logger: Logger
  init(logger: Logger) { self.logger = logger }

  func assemble(container: Container) {
    container.register((any LogHandler).self, name: "console") { r in
      return ConsoleLogHandler()
    }
    container.register((any LogHandler).self, name: "file") { r in
      return FileLogHandler()
    }
  }

  func loaded(resolver: Resolver) {
    logger.addHandler(
      logHandler: resolver.resolve((any LogHandler).self, name: "console")!)
    logger.addHandler(
      logHandler: resolver.resolve((any LogHandler).self, name: "file")!)
  }
}

@Suite struct AssemblyPageTests {
  @Test func `Any component of any assembly resolves, whichever assembly its parts are in`() {
    let assembler = Assembler([
      ServiceAssembly(),
      ManagerAssembly(),
    ])

    let fooManager = assembler.resolver.resolve((any FooManagerProtocol).self)!
    let barManager = assembler.resolver.resolve((any BarManagerProtocol).self)!

    #expect(fooManager.service is FooService)
    #expect(barManager.service is BarService)
  }

  @Test func `An assembly that is applied later is loaded when it has assembled`() {
    let logger = Logger()
    let assembler = Assembler([ServiceAssembly(), ManagerAssembly()])
    assembler.applyAssembly(LoggerAssembly(logger: logger))
    #expect(logger.log(message: "hi") == ["console: hi", "file: hi"])
  }

  @Test func `Property files are read at construction or later`() throws {
    let file = try TemporaryFile("properties.json", #"{"region": "eu"}"#)
    let assembler = Assembler(
      [ServiceAssembly(), ManagerAssembly()],
      propertyLoaders: [JsonPropertyLoader(url: file.url)])
    #expect(assembler.resolver.property("region") as String? == "eu")

    let later = try TemporaryFile("properties.json", #"{"region": "us"}"#)
    assembler.applyPropertyLoader(JsonPropertyLoader(url: later.url))
    #expect(assembler.resolver.property("region") as String? == "us")
  }

  @Test func `A loader finds its file in a bundle by name`() throws {
    let file = try TemporaryFile("properties.json", #"{"region": "eu"}"#)
    let bundle = try #require(Bundle(path: file.url.deletingLastPathComponent().path))
    let assembler = Assembler(
      propertyLoaders: [JsonPropertyLoader(bundle: bundle, name: "properties")])
    #expect(assembler.resolver.property("region") as String? == "eu")
  }

  @Test func `The container lives as long as the resolver, without the assembler`() {
    let resolver = Assembler([ServiceAssembly(), ManagerAssembly()]).resolver
    let manager: (any FooManagerProtocol)? = resolver.resolve()
    #expect(manager != nil)
  }

  @Test func `Properties that are loaded first can be read in loaded`() throws {
    struct RegionAssembly: Assembly {
      let read: (String?) -> Void
      func assemble(container: Container) {}
      func loaded(resolver: Resolver) { read(resolver.property("region")) }
    }
    let file = try TemporaryFile("properties.json", #"{"region": "eu"}"#)
    var region: String?
    _ = Assembler(
      [RegionAssembly { region = $0 }], propertyLoaders: [JsonPropertyLoader(url: file.url)])
    #expect(region == "eu")
  }

  @Test func `Assemblies that are added together are loaded when all have assembled`() {
    let journal = LoadingJournal()
    let assembler = Assembler()
    assembler.addAssemblies([
      LoadingAssembly("one", journal), LoadingAssembly("two", journal),
    ])
    #expect(
      journal.entries == ["assemble one", "assemble two", "loaded one", "loaded two"])
  }
}

/// What happened, in order.
final class LoadingJournal {
  var entries: [String] = []
}

struct LoadingAssembly: Assembly {
  let name: String
  let journal: LoadingJournal

  init(_ name: String, _ journal: LoadingJournal) {
    self.name = name
    self.journal = journal
  }

  func assemble(container: Container) { journal.entries.append("assemble \(name)") }
  func loaded(resolver: Resolver) { journal.entries.append("loaded \(name)") }
}

/// A file in a directory of its own, which goes with it.
final class TemporaryFile {
  let url: URL

  init(_ name: String, _ text: String) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    url = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}
