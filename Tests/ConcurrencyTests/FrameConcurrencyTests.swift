import Foundation
import TestSupport
import Testing

@testable import DIContainer

private final class Catalog: Sendable {
  let number: Int
  private let onDeinit: @Sendable () -> Void

  init(_ number: Int = 0, onDeinit: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }
}

/// What requests read of a scope without a lock, while others write it.
@Suite("Concurrency: scopes")
struct FrameConcurrencyTests {
  private static let names = (0..<60).map { Resolver.Name("catalog \($0)") }

  private static func sandbox(_ parent: ContextFrame? = nil) -> ContextFrame {
    ContextFrame(.sandbox, parent: parent, caches: .all)
  }

  private static func onEightThreads(
    in frame: ContextFrame, _ body: @escaping @Sendable (Int) -> Void
  ) {
    onOwnThreads(8) { thread in
      ContextFrame.$bound.withValue(frame) { body(thread) }
    }
  }

  @Test("Eight threads in one scope get one instance of each of sixty kept services")
  func once() {
    let shop = Resolver()
    let built = Counter()
    for (number, name) in Self.names.enumerated() {
      shop.register(name: name) {
        built.increment()
        return Catalog(number)
      }.scope(.cached)
    }
    let outside = shop.resolve(Catalog.self, name: Self.names[0])
    let sandbox = Self.sandbox()
    let kept = Lock<[Set<ObjectIdentifier>]>(Array(repeating: [], count: Self.names.count))
    let catalogs = Lock<[Catalog]>([])
    Self.onEightThreads(in: sandbox) { thread in
      for round in 0..<Self.names.count * 3 {
        let number = (round + thread * 7) % Self.names.count
        let catalog = shop.resolve(Catalog.self, name: Self.names[number])
        #expect(catalog.number == number)
        kept.withLock { _ = $0[number].insert(ObjectIdentifier(catalog)) }
        catalogs.withLock { $0.append(catalog) }
      }
    }
    #expect(kept.withLock { $0.allSatisfy { $0.count == 1 } })
    #expect(built.value == 1 + Self.names.count)
    #expect(!kept.withLock { $0[0].contains(ObjectIdentifier(outside)) })
    sandbox.end()
  }

  @Test("A kept double is replaced under the eyes of those who ask for it, and none is left over")
  func replaced() {
    let living = Counter()
    let sandbox = Self.sandbox()
    do {
      let shop = Resolver()
      @Sendable func register(_ number: Int) {
        shop.register {
          living.increment()
          return Catalog(number) { living.decrement() }
        }.scope(.cached)
      }
      ContextFrame.$bound.withValue(sandbox) { register(0) }
      Self.onEightThreads(in: sandbox) { thread in
        var last = 0
        for round in 1...600 {
          if thread == 0 {
            register(round)
          } else if thread == 1, round % 10 == 0 {
            sandbox.reset { $0 === Scope.cached }
          } else {
            // One thread counts up: nobody may see it count down.
            let number = shop.resolve(Catalog.self).number
            #expect(number >= last)
            last = number
          }
        }
      }
      ContextFrame.$bound.withValue(sandbox) { #expect(shop.resolve(Catalog.self).number == 600) }
      sandbox.end()
    }
    #expect(living.value == 0)
  }

  @Test("A scope that ends while others use its once-states keeps none of them afterwards")
  func ended() {
    for _ in 0..<60 {
      let sandbox = Self.sandbox()
      let bases = Unchecked((0..<20).map { _ in Keeper(.cached, Catalog.self) })
      Self.onEightThreads(in: sandbox) { thread in
        for round in 0..<20 {
          if thread == 0, round == 10 {
            sandbox.end()
          } else {
            let base = bases.value[(round + thread) % 20]
            let own = sandbox.makeReplacement(for: base)
            #expect(own !== base)
            #expect(sandbox.replacement(for: base)?.instance == nil)
            if round % 5 == 0 { base.forget(in: sandbox) }
          }
        }
      }
      #expect(sandbox.withState { $0.keepers.isEmpty })
    }
  }

  @Test("Static requests follow the scope's root while it is assigned anew, and hold none for ever")
  func roots() {
    weak var first: Resolver?
    let sandbox = Self.sandbox()
    do {
      let root = Resolver { $0.register { Catalog(0) }.scope(.unique) }
      first = root
      sandbox.setRoot(root)
    }
    Self.onEightThreads(in: sandbox) { thread in
      var last = 0
      for round in 1...400 {
        if thread == 0 {
          sandbox.setRoot(Resolver { $0.register { Catalog(round) }.scope(.unique) })
        } else {
          let number = Resolver.resolve(Catalog.self).number
          #expect(number >= last)
          last = number
        }
      }
    }
    #expect(first == nil)
    ContextFrame.$bound.withValue(sandbox) {
      #expect(Resolver.resolve(Catalog.self).number == 400)
    }
    sandbox.end()
  }

  @Test("Layers answer while doubles are registered in them and in sandboxes around them")
  func layers() {
    let shop = Resolver { $0.register { Catalog(0) }.scope(.unique) }
    let outer = Self.sandbox()
    outer.setRoot(shop)
    let layer = Resolver(core: ContainerCore(location: CodeLocation(), holdsDoubles: true))
    let inside = ContextFrame(.layer, parent: outer, installed: layer, caches: .all)
    Self.onEightThreads(in: inside) { thread in
      var last = 0
      for round in 1...400 {
        switch thread {
        case 0: layer.register { Catalog(round) }.scope(.unique)
        case 1: layer.register(name: Self.names[round % 60]) { Catalog(round) }.scope(.unique)
        case 2: shop.register { Catalog(-round) }.scope(.unique)
        default:
          // The layer wins, once it has anything.
          let number = Resolver.resolve(Catalog.self).number
          #expect(number > 0 ? number >= last : last == 0)
          last = max(last, number)
        }
      }
    }
    ContextFrame.$bound.withValue(inside) {
      #expect(Resolver.resolve(Catalog.self).number == 400)
    }
    inside.end()
    outer.end()
  }

  @Test("Sandboxes that eight threads open and close in any order are let go of")
  func opened() {
    let shop = Resolver { $0.register { Catalog(0) }.scope(.cached) }
    let frames = Lock<[WeakFrame]>([])
    onOwnThreads(8) { thread in
      for round in 0..<200 {
        let some = (0..<3).map { _ in Self.sandbox() }
        for (number, sandbox) in some.enumerated() {
          ContextFrame.$bound.withValue(sandbox) {
            shop.register { Catalog(thread * 10 + number) }.scope(.cached)
            #expect(shop.resolve(Catalog.self).number == thread * 10 + number)
          }
          frames.withLock { $0.append(WeakFrame(frame: sandbox)) }
        }
        for number in [round % 3, (round + 2) % 3, (round + 1) % 3] { some[number].end() }
      }
    }
    // A thread of another test that one serves may hold it for a moment.
    let areGone = { frames.withLock { $0.allSatisfy { $0.frame == nil } } }
    let end = ContinuousClock.now + .seconds(60)
    while !areGone(), ContinuousClock.now < end { sched_yield() }
    #expect(areGone())
    #expect(shop.resolve(Catalog.self).number == 0)
  }

  private struct WeakFrame {
    weak var frame: ContextFrame?
  }
}
