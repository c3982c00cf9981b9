import Testing

@testable import DIContainer

private final class GreenTea: Sendable {}
private final class BlackTea: Sendable {}

/// The short way for requests in scopes finds what the long way finds, or leaves it to that.
@Suite("The short way in scopes")
struct PlainScopeTests {
  /// Containers below scopes that were put together at random.
  private struct World {
    var numbers: SameNumbers
    let shop = Resolver()
    let store = Resolver()
    let other = Resolver()
    var layers: [Resolver] = []
    var frame: ContextFrame

    init(seed: Int) {
      numbers = SameNumbers(UInt64(seed))
      frame = ContextFrame(.sandbox, parent: nil, caches: .all)
      frame.setRoot(shop)
      if chance(2) { ContextFrame.$bound.withValue(.base) { shop.add(child: store) } }
      for container in [shop, store, other] where chance(2) {
        ContextFrame.$bound.withValue(.base) { register(in: container) }
      }
      for _ in 0..<Int.random(in: 1...5, using: &numbers) {
        nest()
        ContextFrame.$bound.withValue(frame) { change() }
      }
    }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &numbers) == 0 }

    private mutating func nest() {
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0..<3:
        let layer = Resolver(core: ContainerCore(location: CodeLocation(), holdsDoubles: true))
        layers.append(layer)
        frame = ContextFrame(.layer, parent: frame, installed: layer, caches: .all)
      case 3..<6:
        frame = ContextFrame(.sandbox, parent: frame, caches: .all)
      case 6:
        let root = [shop, other].randomElement(using: &numbers)!
        frame = ContextFrame(.root, parent: frame, installed: root, caches: .all)
      default:
        frame = ContextFrame(.caches, parent: frame, caches: .all)
      }
    }

    private mutating func change() {
      for container in [shop, store, other] + layers where chance(4) { register(in: container) }
      if let layer = layers.last, chance(2) { register(in: layer) }
      if chance(12) { other.remove(GreenTea.self) }
      if chance(12) { layers.last?.remove(BlackTea.self) }
      if chance(16) { frame.sandbox?.makeOverlay(for: shop.core).reset() }
      if chance(16) { layers.last?.add(child: Resolver { $0.register { BlackTea() } }) }
    }

    private mutating func register(in container: Resolver) {
      if chance(2) { container.register { GreenTea() }.scope(.cached) }
      if chance(2) { container.register { BlackTea() }.scope(.unique) }
      if chance(3) { container.register(name: "loose") { BlackTea() }.scope(.unique) }
    }
  }

  @Test("finds what the long way finds, in whatever is nested in whatever")
  func isTheSame() {
    var (short, ofLayers) = (0, 0)
    for seed in 1...2_000 {
      let world = World(seed: seed)
      let keys = [
        RawKey(GreenTea.self, name: nil), RawKey(BlackTea.self, name: nil),
        RawKey(BlackTea.self, name: "loose"),
      ]
      for (asked, key) in [world.shop, world.store, world.other].flatMap({ asked in
        keys.map { (asked, $0) }
      }) {
        guard
          let answer = PlainScope.find(
            key, in: asked.core, world.frame.plain, main: Unmanaged.passUnretained(Resolver.main))
        else { continue }
        let registration = answer.found.takeUnretainedValue()
        if registration.path == .other { continue }
        let found = Lookup.find(key, in: asked.core, world.frame)
        #expect(found?.registration === registration, "seed \(seed)")
        #expect(found?.owner === answer.layer?.takeUnretainedValue() ?? asked.core, "seed \(seed)")
        short += 1
        if answer.layer != nil { ofLayers += 1 }
      }
      world.frame.chain.forEach { $0.end() }
    }
    // It is the way that is taken, not the exception.
    #expect(short > 1_000)
    #expect(ofLayers > 200)
  }
}
