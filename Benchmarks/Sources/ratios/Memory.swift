import DIContainer
import Foundation
import Workloads

// Whether memory grows: millions of cycles of everything that allocates in the kernel.

private final class Short: Sendable {}
private final class Long: Sendable {}

/// Runs millions of cycles of all kinds and says whether the resident memory stayed the same.
func checkMemory() -> Bool {
  let container = Resolver()
  let nested = Resolver(child: container)
  let shared = Resolver()
  shared.register { Long() }.scope(.container)
  let async = Resolver()
  async.register { Long() }
  async.registerAsync { r -> Short in
    _ = r.resolve(Long.self)
    return Short()
  }
  func cycle(_ number: Int) {
    container.register { Short() }.scope(.unique)
    container.register { Long() }.scope(.cached)
    _ = container.resolve(Short.self)
    _ = nested.resolve(Long.self)
    if number % 8 == 0 { Scope.cached.reset() }
    if number % 16 == 0 { sandboxRound(container, number % 32 == 0 ? .unique : .cached) }
    if number % 16 == 8 { sandboxRound(container, .single) }
    if number % 64 == 0 { Resolver.reset() }
    if number % 16 == 0 { _ = Resolver(child: shared).resolve(Long.self) }
    if number % 256 == 0 { waitFor { _ = try? await async.requireAsync(Short.self) } }
  }
  // Two registrations and two resolutions a cycle: ten million operations.
  let cycles = 2_500_000
  for number in 0..<cycles / 10 { cycle(number) }
  let before = residentKilobytes()
  for number in 0..<cycles { cycle(number) }
  let after = residentKilobytes()
  print("resident after \(cycles / 10) cycles: \(before) kB, after \(cycles) more: \(after) kB")
  return after < before + 2_048
}

private func waitFor(_ work: @escaping @Sendable () async -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Task {
    await work()
    isDone.signal()
  }
  isDone.wait()
}

private func residentKilobytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return 0
  }
  return Int(text.split(separator: " ")[1])! * 4
}
