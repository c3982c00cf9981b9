import Testing

@testable import DIContainer

@Suite("Objects that live for ever")
struct ImmortalTests {
  private final class Shop: Sendable {
    let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  private struct Reference<Object: AnyObject> {
    weak var weakly: Object?
    unowned let unowned: Object

    init(_ object: Object) {
      weakly = object
      unowned = object
    }
  }

  #if os(Linux) && _pointerBitWidth(_64)
  @Test func `The runtime leaves their count alone`() {
    let ends = Atomic()
    let shop = Shop { ends.increment() }
    immortalize(shop)
    let header = Unmanaged.passUnretained(shop).toOpaque() + 8
    let count = header.load(as: UInt.self)
    let references = Array(repeating: shop, count: 100)
    #expect(header.load(as: UInt.self) == count)
    withExtendedLifetime(references) {}
    for _ in 0..<100 { Unmanaged.passUnretained(shop).release() }
    #expect(header.load(as: UInt.self) == count)
    #expect(ends.value == 0)
  }
  #endif

  @Test func `Weak and unowned references to them are ones like any other`() {
    let ends = Atomic()
    let shop = Shop { ends.increment() }
    immortalize(shop)
    let reference = Reference(shop)
    #expect(reference.weakly === shop && reference.unowned === shop)
    // Also once there is a count apart for weak references.
    let references = Array(repeating: shop, count: 100)
    withExtendedLifetime(references) {}
    #expect(reference.weakly === shop && reference.unowned === shop)
    #expect(ends.value == 0)
  }

  @Test func `main may be referred to in every way`() {
    let reference = Reference(Resolver.main)
    #expect(reference.weakly === Resolver.main && reference.unowned === Resolver.main)
  }
}
