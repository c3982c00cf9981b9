@testable import DITesting
import Foundation
import Testing

private protocol Parcels: AnyObject, Sendable {}
private final class LiveParcels: Parcels {}
private final class FakeParcels: Parcels {}

private final class Depot {
  @LazyInjected var parcels: any Parcels
  @WeakLazyInjected var sameParcels: (any Parcels)?
  @DynamicInjected(\.depotLabel) var label
}

extension Container {
  fileprivate var depotLabel: Factory<String> { self { "live" } }
}

// What is released is asked for in a process of its own: a thread of another test that has no
// context may be served by the sandbox, and hold it meanwhile.
@Suite("A sandbox that has ended")
struct EndedSandboxTests {
  @Test("holds nothing, although an object lives on that was made and used in it")
  func released() async {
    await #expect(processExitsWith: .success) {
      weak var double: FakeParcels?
      weak var frame: ContextFrame?
      let depot = withSandbox {
        frame = ContextFrame.current
        let fake = FakeParcels()
        double = fake
        Resolver.register { fake as any Parcels }
        Container.shared.depotLabel.register { fake === fake ? "fake" : "" }
        let depot = Depot()
        #expect(depot.parcels === fake)
        #expect(depot.sameParcels === fake)
        #expect(depot.label == "fake")
        return depot
      }
      #expect(double == nil)
      #expect(frame == nil)
      withExtendedLifetime(depot) {}
    }
  }

  @Test("leaves the process without an open frame")
  func production() async {
    await #expect(processExitsWith: .success) {
      Resolver.register { LiveParcels() as any Parcels }
      let depot = withSandbox {
        Resolver.register { FakeParcels() as any Parcels }
        let depot = Depot()
        #expect(depot.parcels is FakeParcels)
        return depot
      }
      #expect(!ContextFrame.needsAttention)
      #expect(depot.parcels is LiveParcels)
    }
  }

  @Test("releases all its doubles but the one that is held")
  func doubles() async {
    await #expect(processExitsWith: .success) {
      weak var other: SignalDouble?
      let signal = withSandbox {
        let kept = SignalDouble()
        double(kept)
        double(SignalDouble(), name: "other")
        other = Resolver.resolve((any Signal).self, name: "other") as? SignalDouble
        #expect(other != nil)
        return kept
      }
      #expect(other == nil)
      withExtendedLifetime(signal) {}
    }
  }

  @Test("is held by no message elsewhere that looks for a registration in the open ones")
  func messages() async {
    await #expect(processExitsWith: .success) {
      Sandbox.unscopedPolicy = .allow
      let madeInSandbox = withSandbox { Resolver() }
      let isOver = Atomic()
      let others = Thread {
        while !isOver.isSet { _ = try? madeInSandbox.require((any Parcels).self) }
      }
      others.start()
      var held = 0
      for _ in 0..<10_000 {
        weak var frame: ContextFrame?
        withSandbox { frame = ContextFrame.current }
        if frame != nil { held += 1 }
      }
      #expect(held == 0)
      isOver.set(true)
    }
  }

  @Test("serves the work that carries it, and is released with that")
  func carried() async {
    weak var double: FakeParcels?
    let issues = Issues()
    let gate = Atomic()
    let opener = ScopeOpener(
      .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler)
    let work = opener.run {
      let fake = FakeParcels()
      double = fake
      Resolver.register { fake as any Parcels }
      #expect(Resolver.resolve((any Parcels).self) === fake)
      return Task.detached { [context = ResolutionContext.current] in
        while !gate.isSet { await Task.yield() }
        return context.run { Resolver.resolve((any Parcels).self) is FakeParcels }
      }
    }
    #expect(double != nil)
    gate.set(true)
    #expect(await work.value)
    #expect(
      issues.all.map(\.headline) == [
        "`any Parcels` was resolved for a test that has ended."
      ])
  }
}

private protocol Signal: AnyObject {
  func send()
}

private final class SignalDouble: Signal, TestDouble {
  static func asDoubled(_ double: SignalDouble) -> any Signal { double }

  let sent = Stub<Void, Void, Never>("Signal.send()")
  func send() { sent.call(()) }
}
