import DIContainer
import Foundation
import TestSupport
import Testing

private protocol Postman: AnyObject {}

@MainActor private final class WindowPostman: @MainActor Postman {
  nonisolated init() {}
}

private final class AnyPostman: Postman {}

@MainActor private func postman(_ window: Unchecked<WindowPostman?>) -> Unchecked<any Postman> {
  Unchecked(window.value!)
}

/// The executor of the workshop, which does something first when it is asked whether it runs code.
private final class WorkshopExecutor: SerialExecutor {
  let whenAsked = Lock<(@Sendable () -> Void)?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }

  func isIsolatingCurrentContext() -> Bool? {
    let whenAsked = whenAsked.withLock { action in
      defer { action = nil }
      return action
    }
    whenAsked?()
    return false
  }
}

@globalActor private actor Workshop {
  static let shared = Workshop()
  static let executor = WorkshopExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

@Workshop private final class WorkshopPostman: @Workshop Postman {
  private let whenGone: @Sendable () -> Void

  nonisolated init(_ whenGone: @escaping @Sendable () -> Void) { self.whenGone = whenGone }
  deinit { whenGone() }

  /// Returns one in a box, which holds the only reference to it.
  static func boxed(_ whenGone: @escaping @Sendable () -> Void) -> Lock<Unchecked<any Postman>?> {
    Lock(Unchecked(WorkshopPostman(whenGone)))
  }
}

/// A conformance that belongs to the main actor, as all do in a module whose default isolation
/// that is, cannot be used elsewhere.
@Suite("A conformance that belongs to an actor")
struct IsolatedConformanceTests {
  private let resolver = Resolver()
  private static let here = #fileID

  private func text(registered: Int, requested: Int) -> String {
    """
    `WindowPostman` conforms to `any Postman` on its actor only, and was requested from elsewhere.

      requested:   \(Self.here):\(requested)
      registered:  \(Self.here):\(registered)

    To fix this:
      - Declare the conformance `nonisolated`, with what it consists of: \
    `WindowPostman: nonisolated Postman`.
      - Or request it on that actor; of the main actor: `Resolver.resolve((any Postman).self)`.
    """
  }

  @Test("is a diagnosis of its own where a request from elsewhere needs it")
  func elsewhere() {
    let registered = #line + 1
    resolver.register { WindowPostman() }.implements((any Postman).self)
    let error = #expect(throws: ResolutionError.self) {
      try resolver.require((any Postman).self)
    }
    #expect(error?.reason == .implementedOnActor(protocol: "any Postman", by: "WindowPostman"))
    #expect(error?.description == text(registered: registered, requested: registered + 1))
  }

  @Test("is that also for what the service was registered as")
  func superclass() {
    resolver.register { WindowPostman() as AnyObject }.implements((any Postman).self)
    let error = #expect(throws: ResolutionError.self) {
      try resolver.require((any Postman).self)
    }
    #expect(error?.reason == .implementedOnActor(protocol: "any Postman", by: "WindowPostman"))
  }

  @Test("serves its actor, and is refused to others whoever asked first", arguments: [false, true])
  @MainActor func onItsActor(isKept: Bool) async {
    resolver.register { WindowPostman() }.scope(isKept ? .cached : .unique)
      .implements((any Postman).self)
    for _ in 0..<3 {
      #expect(resolver.resolve((any Postman).self) is WindowPostman)
      let resolver = resolver
      let reason = await Task { @concurrent in
        do throws(ResolutionError) {
          _ = try resolver.require((any Postman).self)
          return nil as ResolutionError.Reason?
        } catch {
          return error.reason
        }
      }.value
      #expect(reason == .implementedOnActor(protocol: "any Postman", by: "WindowPostman"))
    }
  }

  @Test("lets an instance whose last reference is that of a request register in its deinit")
  func releasedByRequest() async throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let holder = await WorkshopPostman.boxed { resolver.register { 2 } }
    resolver.register((any Postman).self) { holder.withLock { $0?.value } }.scope(.shared)
    #expect(resolver.optional((any Postman).self) != nil)
    Workshop.executor.whenAsked.withLock { action in
      action = { withExtendedLifetime(holder.withLock { exchange(&$0, with: nil) }) {} }
    }
    let isAnswered = DispatchSemaphore(value: 0)
    _ = threadsAreOurs
    Thread.detachNewThread {
      #expect(resolver.optional((any Postman).self) == nil)
      isAnswered.signal()
    }
    #expect(isAnswered.wait(timeout: .now() + 60) == .success)
    #expect(resolver.resolve(Int.self) == 2)
  }

  @Test("leaves one that belongs to none as it is, for the same alias")
  func otherClass() throws {
    resolver.register { AnyPostman() }.implements((any Postman).self)
    #expect(try resolver.require((any Postman).self) is AnyPostman)
  }

  @Test("is no mistake in the wiring, wherever that is checked")
  func validation() throws {
    resolver.register { WindowPostman() }.implements((any Postman).self)
    try resolver.validate()
  }
}
