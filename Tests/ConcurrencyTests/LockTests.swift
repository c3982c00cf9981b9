import Foundation
import TestSupport
import Testing

@testable import DIContainer

@Suite("The kernel's lock")
struct LockTests {
  /// What nobody may see between two changes that belong together.
  private struct Till {
    var taken = 0
    var given = 0
  }

  @Test func `One thread at a time is inside`() {
    let till = Lock(Till())
    let torn = Counter()
    onOwnThreads(4) { _ in
      for _ in 0..<20_000 {
        till.withLock { till in
          if till.taken != till.given { torn.increment() }
          till.taken += 1
          till.given += 1
        }
      }
    }
    #expect(torn.value == 0)
    #expect(till.withLock { $0.taken } == 80_000)
  }

  @Test func `Whoever sleeps before it is woken`() {
    let till = Lock(Till())
    onOwnThreads(4) { _ in
      for _ in 0..<2_000 {
        till.withLock { till in
          till.taken += 1
          // The others come meanwhile, and find it held.
          sched_yield()
        }
      }
    }
    #expect(till.withLock { $0.taken } == 8_000)
  }

  #if os(Linux)
  @Test func `Waiting leaves errno alone`() {
    let till = Lock(Till())
    let changed = Counter()
    onOwnThreads(4) { number in
      errno = Int32(number + 1)
      for _ in 0..<2_000 {
        till.withLock { till in
          till.taken += 1
          sched_yield()
        }
        if errno != Int32(number + 1) { changed.increment() }
        errno = Int32(number + 1)
      }
    }
    #expect(changed.value == 0)
  }
  #endif
}
