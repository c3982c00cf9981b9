import DIContainer
import DITesting
import TestSupport
import Testing

private final class Catalog {}
private final class Settings: Sendable {}

private final class Checkout {
  let catalog: Catalog
  let settings: Settings

  init(catalog: Catalog, settings: Settings) {
    self.catalog = catalog
    self.settings = settings
  }
}

/// Recorders that many threads tell of their requests, while others look at them and empty them.
@Suite("Concurrency: recorders")
struct RecorderConcurrencyTests {
  private static let threads = 8
  private static let rounds = 400

  private let shop = Resolver()

  init() {
    shop.register { Catalog() }.scope(.unique)
    shop.register { Settings() }.scope(.cached)
    shop.register { r in Checkout(catalog: r.resolve(), settings: r.resolve()) }.scope(.unique)
  }

  /// A sandbox with a recorder, and recorders inside it.
  private func frame(_ recorders: ResolutionRecorder...) -> ContextFrame {
    recorders.dropFirst().reduce(
      ContextFrame(.sandbox, parent: nil, caches: .all, recorder: recorders[0])
    ) {
      ContextFrame(.plain, parent: $0, recorder: $1)
    }
  }

  /// Whether events are whole and in order, and refer to each other as the factories do.
  private func isSound(_ events: [ResolutionEvent]) -> Bool {
    events.enumerated().allSatisfy { place, event in
      guard event.index == place, event.container == shop.core.label,
        event.registeredAt != nil, event.requestedAt != nil,
        event.scope == (event.key.type == Settings.self ? "cached" : "unique")
      else { return false }
      guard let parent = event.parent else { return event.depth == 0 }
      return parent < place && event.depth == 1 && event.key.type != Checkout.self
        && events[parent].key.type == Checkout.self && events[parent].depth == 0
    }
  }

  @Test("Each hears every request of eight threads, whole and in order, while one is emptied")
  func emptied() {
    let (whole, popped, cleared) =
      (ResolutionRecorder(), ResolutionRecorder(), ResolutionRecorder())
    let frame = frame(whole, popped, cleared)
    defer { frame.end() }
    let (done, unsound, heard) = (Counter(), Counter(), Counter())
    onOwnThreads(Self.threads + 1) { [shop] thread in
      guard thread == Self.threads else {
        ContextFrame.$bound.withValue(frame) {
          for _ in 0..<Self.rounds { _ = shop.resolve(Checkout.self) }
        }
        done.increment()
        return
      }
      repeat {
        for events in [cleared.events, popped.events] where !isSound(events) {
          unsound.increment()
        }
        cleared.clear()
        let events = popped.pop()
        if !isSound(events) { unsound.increment() }
        for _ in events { heard.increment() }
      } while done.value < Self.threads
    }
    let all = Self.threads * Self.rounds * 3
    #expect(unsound.value == 0)
    #expect(heard.value + popped.events.count == all)
    let events = whole.events
    #expect(events.count == all && isSound(events))
    #expect(events.count { $0.kind == .kept } == Self.threads * Self.rounds - 1)
    #expect(events.allSatisfy { $0.isRequest && $0.kind != .missed })
    // Each checkout asked for its own catalog first, and then for the settings.
    var asked: [Int: [ServiceKey]] = [:]
    for event in events {
      if let parent = event.parent { asked[parent, default: []].append(event.key) }
    }
    #expect(asked.count == Self.threads * Self.rounds)
    let needs = [ServiceKey(Catalog.self), ServiceKey(Settings.self)]
    #expect(asked.values.allSatisfy { $0 == needs })
    #expect(
      events.allSatisfy { event in
        event.parent.map { events[$0].duration >= event.duration } ?? true
      })
  }
}
