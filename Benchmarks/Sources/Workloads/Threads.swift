import DIContainer
import Foundation
import Synchronization

// Two threads at once. A workload is the work of both, so that its cost per operation is half of
// one thread's where they do not disturb each other.

/// Runs a body on two threads, half of the count each.
///
/// They wait for each other before they begin: one that was done before the other woke up would
/// have met nobody.
private func onTwoThreads(_ count: Int, _ body: @escaping @Sendable (Int, Int) -> Void) {
  let meeting = Meeting()
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    meeting.wait()
    body(1, count / 2)
    isDone.signal()
  }
  meeting.wait()
  body(0, count / 2)
  isDone.wait()
}

/// Where two threads wait for each other, without going to sleep.
private final class Meeting: Sendable {
  private let missing = Atomic(2)

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 {}
  }
}

/// Runs a body while an async factory is at work somewhere else.
private func besideAsync(_ body: () -> Void) {
  let shop = Resolver()
  let (isMeasured, end) = AsyncStream.makeStream(of: Void.self)
  let (hasStarted, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  shop.registerAsync { () async -> Settings in
    hasStarted.signal()
    for await _ in isMeasured {}
    return Settings()
  }
  Task.detached {
    _ = try! await shop.requireAsync(Settings.self)
    isDone.signal()
  }
  hasStarted.wait()
  body()
  end.finish()
  isDone.wait()
}

/// One object that everybody shares, behind a call that the optimiser does not look into.
final class SharedHolder: @unchecked Sendable {
  // Sendable: immutable.
  let value = Settings()
  @inline(never) @_optimize(none) func load() -> Settings { value }
}

func threads() -> [Workload] {
  let container = shop(.unique)
  container.register { Session() }.scope(.unique)
  let kept = Resolver()
  kept.register { Settings() }.scope(.cached)
  _ = kept.resolve(Settings.self)
  let holder = SharedHolder()
  return [
    Workload("two threads: direct inits", count: 400_000) { count in
      onTwoThreads(count) { thread, count in
        if thread == 0 {
          for _ in 0..<count { use(makeCatalog()) }
        } else {
          for _ in 0..<count { use(makeSession()) }
        }
      }
    },
    // 1.4 × an init, in threads that scale 0.9 × as well: 1.4 / 0.9.
    Workload(
      "two threads: unique, distinct types", floor: "two threads: direct inits", goal: 1.55,
      count: 400_000
    ) { count in
      onTwoThreads(count) { thread, count in
        if thread == 0 {
          for _ in 0..<count { use(container.resolve(Catalog.self)) }
        } else {
          for _ in 0..<count { use(container.resolve(Session.self)) }
        }
      }
    },
    Workload("two threads: load and retain one object", count: 400_000) { count in
      onTwoThreads(count) { _, count in for _ in 0..<count { use(holder.load()) } }
    },
    Workload(
      "two threads: one kept service", floor: "two threads: load and retain one object",
      goal: 1.25, count: 400_000
    ) { count in
      onTwoThreads(count) { _, count in
        for _ in 0..<count { use(kept.resolve(Settings.self)) }
      }
    },
    Workload("beside an async factory: unique", floor: "direct init", count: 100_000) { count in
      besideAsync { for _ in 0..<count { use(container.resolve(Catalog.self)) } }
    },
    Workload(
      "beside an async factory: kept", floor: "dictionary + pthread lock", count: 100_000
    ) { count in
      besideAsync { for _ in 0..<count { use(kept.resolve(Settings.self)) } }
    },
  ]
}

@inline(never) func makeSession() -> Session { Session() }
