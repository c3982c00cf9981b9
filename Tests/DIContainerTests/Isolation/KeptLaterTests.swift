import DIContainer
import DITesting
import Testing

private final class Tray: Sendable {}

private final class Pantry: SharedContainer {
  static let shared = Pantry()
  let manager = ContainerManager()
  var later: AsyncFactory<Tray> { self { Tray() }.cached }
  var onMain: MainActorFactory<Tray> { self { Tray() }.cached }
  var newOnMain: MainActorFactory<Tray> { self { Tray() } }
  var plain: Factory<Tray> { self { Tray() }.cached }
}

/// What is kept of services that are made elsewhere is handed out by a short way, which is only
/// open where no scope is: so each of these is a process of its own.
@Suite("What is kept of async and main-actor services, with no scope open,")
struct KeptLaterTests {
  @Test("is handed out, to a task that was cancelled too, until it is forgotten")
  func kept() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver()
      shop.registerAsync { () async -> Tray in Tray() }.scope(.cached)
      shop.registerMain(name: "main") { Tray() }.scope(.cached)
      for name: Resolver.Name? in [nil, "main"] {
        let first = try await shop.requireAsync(Tray.self, name: name)
        let second = await shop.resolveAsync(Tray.self, name: name)
        let third = await shop.optionalAsync(Tray.self, name: name)
        #expect(first === second && first === third)
        let late = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await shop.requireAsync(Tray.self, name: name)
        }
        #expect(try await late.value === first)
        Scope.cached.reset()
        #expect(await shop.resolveAsync(Tray.self, name: name) !== first)
      }
      let kept = await shop.resolveAsync(Tray.self)
      shop.registerAsync { () async -> Tray in Tray() }.scope(.cached)
      #expect(await shop.resolveAsync(Tray.self) !== kept)
      shop.remove(Tray.self)
      #expect(await shop.optionalAsync(Tray.self) == nil)
    }
  }

  @Test("is each container's own where it is kept for the one that is asked, and may be gone")
  func keepers() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver()
      let front = Resolver(child: shop)
      shop.registerAsync { () async -> Tray in Tray() }.scope(.container)
      let (own, other) = (await shop.resolveAsync(Tray.self), await front.resolveAsync(Tray.self))
      #expect(own !== other)
      #expect(await front.resolveAsync(Tray.self) === other)
      shop.registerAsync(name: "weak") { () async -> Tray in Tray() }.scope(.shared)
      var held: Tray? = await shop.resolveAsync(name: "weak")
      weak let gone = held
      #expect(await shop.resolveAsync(Tray.self, name: "weak") === held)
      held = nil
      // The task that made it lets it go on a thread of its own, perhaps a moment later.
      for _ in 0..<10_000 where gone != nil { await Task.yield() }
      #expect(gone == nil)
      held = await shop.resolveAsync(name: "weak")
    }
  }

  @Test("gives way to a double that a root has for the property")
  func doubles() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let pantry = Pantry.shared
      let kept = (await pantry.later.resolve(), pantry.onMain(), pantry.plain())
      #expect(await pantry.later.resolve() === kept.0)
      #expect(pantry.onMain() === kept.1 && pantry.newOnMain() !== pantry.newOnMain())
      let mock = Resolver()
      let double = Tray()
      mock.double(\Pantry.later) { double }
      mock.double(\Pantry.onMain) { double }
      mock.double(\Pantry.newOnMain) { double }
      mock.double(\Pantry.plain) { double }
      Resolver.root = mock
      #expect(await pantry.later.resolve() === double)
      #expect(pantry.onMain() === double && pantry.newOnMain() === double)
      #expect(pantry.plain() === double)
      Resolver.root = .main
      #expect(await pantry.later.resolve() === kept.0)
      #expect(pantry.onMain() === kept.1 && pantry.plain() === kept.2)
    }
  }
}
