import DITesting
import Testing

extension Resolver {
  /// First touched inside a sandbox, by one test only.
  fileprivate static let configured = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.add(child: nested)
  }
  fileprivate static let nested = Resolver { r in r.register { Basket() } }
  fileprivate static let below = Resolver(parent: nested) { r in
    r.register { LivePayments() as any Payments }
  }
  fileprivate static let filledLater = Resolver()
  fileprivate static let bySelf: Resolver = {
    let shop = Resolver()
    shop.register { Basket() }
    return shop
  }()
}

@Suite("Base state")
struct BaseStateTests {
  @Test("is what a static container is configured with, also when a sandbox touches it first")
  func firstTouched() {
    let recorder = ResolutionRecorder()
    withSandbox {
      withRecorder(recorder) {
        #expect(Resolver.configured.resolve((any Payments).self).label == "live")
        #expect(Resolver.configured.optional(Basket.self) != nil)
        #expect(Resolver.below.resolve((any Payments).self).label == "live")
      }
    }
    #expect(recorder.events.filter(\.isRequest).allSatisfy { !$0.isDouble })
    #expect(Resolver.configured.resolve((any Payments).self).label == "live")
    #expect(Resolver.configured.optional(Basket.self) != nil)
    #expect(Resolver.below.optional(Basket.self) != nil)
    withSandbox { #expect(Resolver.below.resolve((any Payments).self).label == "live") }
  }

  @Test("is what a configuration registers, in whatever scope, layers and roots included")
  func configuredAnywhere() {
    func make() -> Resolver { Resolver { $0.register { LivePayments() as any Payments } } }
    let made = [
      withSandbox(operation: make), withRoot(Resolver(), operation: make),
      withLayer({ _ in }, operation: make), withSandbox { withSandbox(operation: make) },
    ]
    for container in made {
      #expect(container.resolve((any Payments).self).label == "live")
    }
  }

  @Test("is not resolved through the scope that happens to be current")
  func resolvingWhileConfiguring() {
    withSandbox {
      let shop = Resolver()
      shop.register { FakePayments() as any Payments }
      var label: String?
      _ = Resolver { _ in label = shop.optional((any Payments).self)?.label }
      #expect(label == nil)
      #expect(shop.resolve((any Payments).self).label == "fake")
    }
  }

  @Test("is not what else is registered in a sandbox: that is gone after it")
  func bornInASandbox() {
    let born = withSandbox { () -> Resolver in
      let born = Resolver()
      born.register { FakePayments() as any Payments }
      #expect(born.resolve((any Payments).self).label == "fake")
      return born
    }
    #expect(born.optional((any Payments).self) == nil)
    withSandbox {
      Resolver.filledLater.register { FakePayments() as any Payments }
      #expect(Resolver.filledLater.resolve((any Payments).self).label == "fake")
    }
    #expect(Resolver.filledLater.optional((any Payments).self) == nil)
  }

  @Test("is not what a static container is given otherwise: who misses it then is told so")
  func filledByHand() {
    let opened: UInt = #line + 1
    withSandbox { #expect(Resolver.bySelf.optional(Basket.self) != nil) }
    let line: UInt = #line + 1
    let error = #expect(throws: ResolutionError.self) { try Resolver.bySelf.require(Basket.self) }
    #expect(error.map(\.description) == missing(line, opened))
  }

  @Test("who misses what a sandbox that is still open has swallowed is told so")
  func filledByHandElsewhere() async {
    await withSandbox {
      let born = Resolver()
      let line: UInt = #line + 1
      born.register { Basket() }
      #expect(born.optional(Basket.self) != nil)
      // Another test's sandbox.
      let text = await Task.detached {
        withSandbox {
          do throws(ResolutionError) {
            _ = try born.require(Basket.self)
            return ""
          } catch {
            return error.description
          }
        }
      }.value
      #expect(
        text.contains(
          "registered only inside a sandbox: DITestingTests/BaseStateTests.swift:\(line)"))
    }
  }

  private func missing(_ line: UInt, _ opened: UInt) -> String {
    let test = Test.current?.displayName ?? ""
    return """
      Nothing is registered for `Basket`.

        requested:  DITestingTests/BaseStateTests.swift:\(line)
        asked:      container made at DITestingTests/BaseStateTests.swift:16
        note:       registered only inside a sandbox: DITestingTests/BaseStateTests.swift:17
        note:       that sandbox: \(test), at DITestingTests/BaseStateTests.swift:\(opened)

      To fix this:
        - Set up what production needs in `Resolver { r in … }` (`init(configure:)`), in \
      `autoRegister` or in `registerAllServices`: that stays, also where a test makes the container.
        - Register it: `register { … as Basket }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Basket?`.
      """
  }

  @Test("that is registered while a sandbox is open shows in it, unless it is masked")
  func readsThrough() async {
    let shop = Resolver()
    await withSandbox {
      #expect(shop.optional((any Payments).self) == nil)
      await registerOutside(in: shop)
      #expect(shop.resolve((any Payments).self).label == "live")
      shop.remove((any Payments).self)
      await registerOutside(in: shop)
      #expect(shop.optional((any Payments).self) == nil)
    }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  /// Registers as the process does, outside every scope.
  private func registerOutside(in shop: Resolver) async {
    await Task.detached { _ = shop.register { LivePayments() as any Payments } }.value
  }

  @Test("is live, what a sandbox, a layer or an installed container registers is a double")
  func liveOrDouble() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let mock = Resolver { $0.register { FakePayments() as any Payments } }
    func isDouble(_ container: Resolver) -> Bool {
      let recorder = ResolutionRecorder()
      return withRecorder(recorder) {
        _ = container.resolve((any Payments).self)
        return recorder.events[0].isDouble
      }
    }
    withSandbox {
      #expect(!isDouble(shop))
      withRoot(mock) { #expect(isDouble(mock)) }
      #expect(!isDouble(mock))
      let born = Resolver { $0.register { FakePayments() as any Payments } }
      #expect(!isDouble(born))
      withRoot(born) { #expect(isDouble(born)) }
      let layer = Resolver.push(mock)
      #expect(isDouble(shop) == false)
      #expect(isDouble(mock))
      Resolver.pop(layer)
      shop.register { FakePayments() as any Payments }
      #expect(isDouble(shop))
    }
    #expect(!isDouble(shop))
  }
}
