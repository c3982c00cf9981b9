internal import DIPrimitives

// Factories that keep their isolation.
//
// - `Home` says where a registration's factory runs: anywhere, on an actor, or in a task.
// - Factories of an actor are sync ones that are only ever called on that actor: a request that
//   can wait goes there and is resolved as any sync request (Resolver+Await.swift); one that
//   cannot is answered if it is made there, and gets a `ResolutionError` elsewhere.
// - Async factories are built by `AsyncProduce`. `Flight` has all that ask at a time wait for one
//   build, without blocking a thread. `AsyncLink` is the chain of async resolutions under way: it
//   is bound to the task, finds cycles, and makes the sync resolutions of an async factory part of
//   its cycle.

/// Where a factory runs.
enum Home {
  /// On the thread that asks.
  case anywhere
  /// On an actor.
  case actor(any Actor)
  /// In a task.
  case task
  /// Where the factory runs of what it decorates.
  case under(Decorated)

  /// What a registration decorates.
  enum Decorated {
    /// What is found below the registration of this id, which may stand in a removal's place.
    case search(below: UInt64, removal: Registration? = nil)
    case registration(Registration)
  }

  /// Whether it is that of a decoration.
  var isUnder: Bool { if case .under = self { true } else { false } }

  /// Whether requests need a look at it.
  var isOwn: Bool {
    switch self {
    case .anywhere, .under: false
    case .actor, .task: true
    }
  }
}

/// A factory for requests that can wait: gets the container asked, and the arguments.
typealias AsyncMake<Service> =
  @Sendable (Resolver, Unchecked<Any?>) async throws -> Unchecked<Service?>

/// Such a factory as something that does not show its type.
final class AsyncMaker<Service>: Sendable {
  let make: AsyncMake<Service>
  init(_ make: @escaping AsyncMake<Service>) { self.make = make }
}

extension Actor {
  /// Whether the caller runs on this actor.
  nonisolated var isCurrent: Bool {
    // Two words: the executor and how to talk to it.
    let words = unsafeBitCast(unownedExecutor, to: (UInt, UInt).self)
    return di_runs_on(words.0, words.1, self is MainActor)
  }

  /// The actor in words.
  nonisolated var inWords: String {
    self is MainActor ? "the main actor" : "`\(type(of: self))`"
  }
}

extension Registration {
  /// Whether its instances have to be waited for, wherever one asks.
  var isAsync: Bool {
    if case .task = home { true } else { false }
  }

  /// Throws if the factory cannot run where the caller is, without waiting.
  func checkHome(_ requested: UnsafePointer<Request>) throws {
    switch home {
    case .anywhere, .under: break
    case .actor(let actor):
      if !actor.isCurrent { throw ResolutionError.needsActor(actor, requested.pointee, self) }
    case .task:
      throw ResolutionError.circleThroughAwait(requested.pointee, self)
        ?? .needsAwait(requested.pointee, self)
    }
  }
}
