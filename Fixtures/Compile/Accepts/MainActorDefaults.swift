// mode: 6; defaults: MainActor
// Everything that users conform to, in a module whose default isolation is the main actor.
import DICompatibility
import DIContainer

protocol Mailer { func send(_ text: String) }

final class LiveMailer: Mailer {
  private var sent: [String] = []
  init() { sent.append("ready") }
  func send(_ text: String) { sent.append(text) }
}

nonisolated struct Clock: Sendable {}

// The README's spelling: what is added to a container belongs to no actor.
extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    registerMain { LiveMailer() as any Mailer }
    register { Clock() }
  }
}

extension Container: @retroactive AutoRegistering {
  nonisolated public func autoRegister() {
    registerMain { LiveMailer() }
  }
}

// What conforms where it is declared belongs to no actor by itself.
struct MailAssembly: Assembly {
  func assemble(container: Container) {
    container.registerMain { LiveMailer() as any Mailer }
  }
}

enum MailPart: DIPart {
  static func load(container: Container) {
    container.registerMain(LiveMailer.init)
  }
}

enum MailFramework: DIFramework {
  static func load(container: Container) {
    container.append(part: MailPart.self)
  }
}

struct RegionLoader: PropertyLoader {
  let source = "the region"
  func load() throws -> [String: PropertyValue] { ["region": .string("europe")] }
}

final class Warehouse: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}
  func autoRegister() { register { Clock() } }
}

final class Depot: SharedContainer {
  static let shared = Depot()
  let manager = ContainerManager()
}

extension Container {
  var mailer: MainActorFactory<any Mailer> { self { LiveMailer() } }
  nonisolated var clock: Factory<Clock> { self { Clock() } }
}

@MainActor extension Container {
  var desk: Factory<Desk> { self { Desk() } }
}

/// The isolation of this conformance is checked where it is used: nobody casts to `Resolving`.
final class Desk: Resolving {
  @Injected(\.mailer) private var mailer
  @LazyInjected private var late: any Mailer
  @Injected(\.clock) private var clock
  private var opened = 0

  func open() {
    opened += 1
    resolver.resolve((any Mailer).self).send("opened")
    mailer.send("opened")
    late.send("opened")
  }
}

nonisolated func wire() {
  let assembler = Assembler([MailAssembly()])
  assembler.applyPropertyLoader(RegionLoader())
  let container = Container()
  container.append(framework: MailFramework.self)
  _ = (Warehouse.shared, Depot.shared)
}
