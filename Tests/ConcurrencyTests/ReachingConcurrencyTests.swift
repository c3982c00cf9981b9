import DITesting
import Dispatch
import Foundation
import Testing

private protocol Payments: AnyObject {
  var label: String { get }
}

private final class LivePayments: Payments {
  let label = "live"
}

private final class FakePayments: Payments {
  let label: String
  init(_ label: String = "fake") { self.label = label }
}

private struct OutOfStock: Error, Equatable {}

// What reaches a test's double by itself, and what does with one line. Queues, threads and
// callbacks resume a continuation, so that no test waits for a time.

@Suite("A double (concurrency)", .sandbox)
struct ReachingConcurrencyTests {
  let shop = Resolver { r in r.register { LivePayments() as any Payments } }

  init() {
    shop.register { FakePayments() as any Payments }
    _ = label()
  }

  private func label() -> String { shop.resolve((any Payments).self).label }

  // MARK: By itself

  @Test("reaches child tasks")
  func childTask() async {
    async let label = label()
    #expect(await label == "fake")
  }

  @Test("reaches an unstructured task")
  func task() async {
    #expect(await Task { label() }.value == "fake")
  }

  @Test("reaches every task of a group")
  func group() async {
    let labels = await withTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { label() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(labels == Array(repeating: "fake", count: 20))
  }

  @Test("reaches an actor, and the main actor")
  func actors() async {
    actor Desk {
      func label(_ shop: Resolver) -> String { shop.resolve((any Payments).self).label }
    }
    #expect(await Desk().label(shop) == "fake")
    #expect(await MainActor.run { label() } == "fake")
  }

  @Test("reaches the consumer of an asynchronous stream, and its unfolding closure")
  func stream() async {
    let (orders, order) = AsyncStream<Int>.makeStream()
    for number in 0..<3 { order.yield(number) }
    order.finish()
    for await _ in orders { #expect(label() == "fake") }
    let left = Lock(3)
    let labels = AsyncStream<String> {
      left.withLock { left in
        left -= 1
        return left >= 0
      } ? label() : nil
    }
    for await label in labels { #expect(label == "fake") }
  }

  @Test("reaches the build closure of a stream and of a continuation")
  func continuation() async {
    let built = AsyncStream<String> { continuation in
      continuation.yield(label())
      continuation.finish()
    }
    for await label in built { #expect(label == "fake") }
    let resumed = await withCheckedContinuation { $0.resume(returning: label()) }
    #expect(resumed == "fake")
  }

  @Test("reaches the closure of `DispatchQueue.sync` and of a synchronous C callback")
  func synchronously() {
    #expect(DispatchQueue(label: "receipts").sync { label() } == "fake")
    var numbers: [Int32] = [3, 1, 2]
    final class Comparison {
      var labels: Set<String> = []
      let shop: Resolver
      init(_ shop: Resolver) { self.shop = shop }
    }
    let comparison = Comparison(shop)
    sortInC(&numbers, Unmanaged.passUnretained(comparison).toOpaque()) { context in
      let comparison = Unmanaged<Comparison>.fromOpaque(context).takeUnretainedValue()
      comparison.labels.insert(comparison.shop.resolve((any Payments).self).label)
    }
    #expect(numbers == [1, 2, 3])
    #expect(comparison.labels == ["fake"])
  }

  // MARK: With one line

  @Test("reaches a detached task through the context, and through a carried closure")
  func detached() async {
    let context = ResolutionContext.current
    #expect(await Task.detached { context.run { label() } }.value == "fake")
    #expect(await Task.detached { await context.run { await later { label() } } }.value == "fake")
    let carried = ResolutionContext.carrying { label() }
    #expect(await Task.detached { carried() }.value == "fake")
    let operation = ResolutionContext.carrying { () async throws -> String in label() }
    #expect(try! await Task.detached(operation: operation).value == "fake")
  }

  @Test("reaches whoever calls a carried closure that takes arguments and throws")
  func throwing() async throws {
    let carried = Unchecked(
      ResolutionContext.carrying { (name: String, isIn: Bool) throws -> String in
        if !isIn { throw OutOfStock() }
        return "\(name) \(label())"
      })
    let answer = await Task.detached {
      let failure = Result { try carried.value("tea", false) }
      return ((try? carried.value("tea", true)), failure)
    }.value
    #expect(answer.0 == "tea fake")
    #expect(throws: OutOfStock()) { try answer.1.get() }
  }

  @Test("reaches a queue through a carried closure")
  func queue() async {
    let answer = await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      DispatchQueue.global().async(
        execute: ResolutionContext.carrying { done.resume(returning: label()) })
    }
    #expect(answer == "fake")
  }

  @Test("reaches the iterations of `concurrentPerform` through a carried closure")
  func concurrentPerform() {
    let wrong = Lock(0)
    DispatchQueue.concurrentPerform(
      iterations: 50,
      execute: ResolutionContext.carrying { (_: Int) in
        if label() != "fake" { wrong.withLock { $0 += 1 } }
      })
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("reaches a thread through a carried closure")
  func thread() async {
    let answer = await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      Thread(block: ResolutionContext.carrying { done.resume(returning: label()) }).start()
    }
    #expect(answer == "fake")
  }

  @Test("reaches a callback of C on another thread through the context in its pointer")
  func callback() async {
    final class Job {
      let context = ResolutionContext.current
      let shop: Resolver
      let done: CheckedContinuation<String, Never>
      init(_ shop: Resolver, _ done: CheckedContinuation<String, Never>) {
        self.shop = shop
        self.done = done
      }
    }
    let answer = await withCheckedContinuation { done in
      callFromC(Unmanaged.passRetained(Job(shop, done)).toOpaque()) { pointer in
        let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
        job.context.run {
          job.done.resume(returning: job.shop.resolve((any Payments).self).label)
        }
      }
    }
    #expect(answer == "fake")
  }

  @Test("reaches the subscribers of a publisher that was told of the context")
  func publisher() async {
    let answer = await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      let receipts = Subject<Int>()
      receipts.sink(ResolutionContext.carrying { _ in done.resume(returning: label()) })
      DispatchQueue.global().async { receipts.send(1) }
    }
    #expect(answer == "fake")
  }

  // MARK: By way of instances

  @Test("reaches a lazy property that is first touched on a thread that carries nothing")
  func lazyProperty() async {
    final class Receipts {
      let payments: LazyInjected<any Payments>
      let mailer: WeakLazyInjected<any Payments>
      init(_ shop: Resolver) {
        payments = LazyInjected(container: shop)
        mailer = WeakLazyInjected(container: shop)
      }
    }
    let receipts = Unchecked(Receipts(shop))
    let labels = await onDetachedThread {
      [receipts.value.payments.wrappedValue.label, receipts.value.mailer.wrappedValue?.label]
    }
    #expect(labels == ["fake", "fake"])
  }

  @Test("reaches what an instance starts that kept the context it was built in")
  func instance() async {
    final class Receipts: Sendable {
      let context = ResolutionContext.current
      let shop: Resolver
      init(_ shop: Resolver) { self.shop = shop }
      func label() -> String { context.run { shop.resolve((any Payments).self).label } }
    }
    shop.register { r in Receipts(r) }.scope(.cached)
    let receipts = shop.resolve(Receipts.self)
    #expect(await onDetachedThread { receipts.label() } == "fake")
  }

  @Test("reaches a factory that was handed out as a dependency and carries its context")
  func provider() async {
    shop.register { r -> @Sendable () -> String in
      ResolutionContext.carrying { r.resolve((any Payments).self).label }
    }
    let provider = shop.resolve((@Sendable () -> String).self)
    #expect(await onDetachedThread { provider() } == "fake")
  }

  @Test("of the current context wins over the remembered one, which is for contexts without")
  func currentWins() async {
    final class Receipts {
      let payments: LazyInjected<any Payments>
      init(_ shop: Resolver) { payments = LazyInjected(container: shop) }
    }
    let receipts = Receipts(shop)
    withSandbox { r in
      shop.register { FakePayments("inner") as any Payments }
    } operation: {
      #expect(receipts.payments.wrappedValue.label == "inner")
    }
  }
}

/// Runs a body on a thread that carries no context, and gives what it gave.
private func onDetachedThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { done in
    Thread { done.resume(returning: body()) }.start()
  }
}

private nonisolated(nonsending) func later<Result>(
  _ body: nonisolated(nonsending) () async -> Result
) async -> Result {
  await Task.yield()
  return await body()
}

/// A function of C that calls back, in the middle of its work, with the pointer it was given.
private func sortInC(
  _ numbers: inout [Int32], _ context: UnsafeMutableRawPointer,
  _ compared: @convention(c) (UnsafeMutableRawPointer) -> Void
) {
  numbers.sort { left, right in
    compared(context)
    return left < right
  }
}

/// A function of C that calls back later, from a thread of its own.
private func callFromC(
  _ context: UnsafeMutableRawPointer,
  _ callback: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
) {
  let address = UInt(bitPattern: context)
  Thread { callback(UnsafeMutableRawPointer(bitPattern: address)!) }.start()
}

/// As much of a Combine subject as it takes.
private final class Subject<Output: Sendable>: Sendable {
  private let sinks = Lock<[@Sendable (Output) -> Void]>([])

  func sink(_ receive: @escaping @Sendable (Output) -> Void) {
    sinks.withLock { $0.append(receive) }
  }

  func send(_ output: Output) {
    for sink in sinks.withLock({ $0 }) { sink(output) }
  }
}
