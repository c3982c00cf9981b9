import DITesting
import Dispatch
import OpenCombine
import OpenCombineDispatch
import Testing

// What reaches a double in the subscribers of publishers, which call on whatever thread the value
// comes from. The names are Combine's.

protocol Payments: AnyObject, Sendable {
  var label: String { get }
}

final class LivePayments: Payments {
  let label = "live"
}

final class FakePayments: Payments {
  let label = "fake"
}

let shop = Resolver { r in r.register { LivePayments() as any Payments } }

private func label() -> String { shop.resolve((any Payments).self).label }

/// Subscriptions and subjects are not Sendable; each is used by one thread at a time.
private struct Sent<Value>: @unchecked Sendable {
  let value: Value
}

@Suite(
  "A double, in a publisher",
  .sandbox { _ in shop.register { FakePayments() as any Payments } })
struct PublisherConcurrencyTests {
  private let orders = PassthroughSubject<Int, Never>()

  /// Sends one order from a queue that carries nothing, and gives what the subscription answered.
  private func onQueue(
    _ subscribe: (PassthroughSubject<Int, Never>, @escaping (String) -> Void) -> AnyCancellable
  ) async -> String {
    var subscription: AnyCancellable?
    let label = await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      subscription = subscribe(orders) { done.resume(returning: $0) }
      let orders = Sent(value: orders)
      DispatchQueue.global().async { orders.value.send(1) }
    }
    subscription?.cancel()
    return label
  }

  @Test("reaches a subscriber by itself when the value is sent by the test's own task")
  func sameTask() {
    var labels: [String] = []
    let subscription = orders.map { _ in label() }.sink { labels.append($0) }
    orders.send(1)
    subscription.cancel()
    #expect(labels == ["fake"])
  }

  @Test("reaches a closure of `sink` that carries the context")
  func sink() async {
    let answer = await onQueue { orders, done in
      orders.sink(receiveValue: ResolutionContext.carrying { (_: Int) in done(label()) })
    }
    #expect(answer == "fake")
  }

  @Test("reaches a closure of `map` that carries the context")
  func map() async {
    let answer = await onQueue { orders, done in
      orders.map(ResolutionContext.carrying { (_: Int) in label() }).sink(receiveValue: done)
    }
    #expect(answer == "fake")
  }

  @Test("reaches what is received on a queue, in a closure that carries the context")
  func receiveOn() async {
    let queue = DispatchQueue(label: "receipts")
    let answer = await onQueue { orders, done in
      orders.receive(on: queue.ocombine)
        .map(ResolutionContext.carrying { (_: Int) in label() })
        .sink(receiveValue: done)
    }
    #expect(answer == "fake")
  }

  @Test("reaches a `Future` that fulfils its promise on a queue, through the context")
  func future() async {
    let context = ResolutionContext.current
    let answer = await onQueue { _, done in
      Future<String, Never> { promise in
        let promise = Sent(value: promise)
        DispatchQueue.global().async { context.run { promise.value(.success(label())) } }
      }.sink(receiveValue: done)
    }
    #expect(answer == "fake")
  }

  @Test("is reported and gets the live service where nothing is carried")
  func nothingCarried() async {
    await withKnownIssue {
      // In a process of its own: in this one, other tests' sandboxes are open too.
      await #expect(processExitsWith: .success) {
        Sandbox.unscopedPolicy = .fail
        await withSandbox {
          shop.register { FakePayments() as any Payments }
          _ = shop.resolve((any Payments).self)
          let orders = PassthroughSubject<Int, Never>()
          let label = await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
            let subscription = orders.map { _ in shop.resolve((any Payments).self).label }
              .sink { done.resume(returning: $0) }
            let sent = Sent(value: (orders, subscription))
            DispatchQueue.global().async { sent.value.0.send(1) }
          }
          #expect(label == "live")
        }
      }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix(
        "`any Payments` was resolved by work that belongs to no test, while this sandbox was "
          + "open: it got the live service.") ?? false
    }
  }
}
