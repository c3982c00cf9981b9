import DITesting
import Testing

private protocol Display: AnyObject {
  var label: String { get }
}

@MainActor private final class LiveDisplay: @MainActor Display {
  let label = "live"
  nonisolated init() {}
}

@MainActor private final class FakeDisplay: @MainActor Display {
  nonisolated static let shared = FakeDisplay()
  let label = "fake"
  nonisolated init() {}
}

@MainActor private final class Screen {
  let label: String
  init(_ label: String) { self.label = label }
}

private final class LiveReceipt: Sendable {}

private final class Ticket: Sendable {
  let label: String
  init(_ label: String) { self.label = label }
}

private actor Printer {
  static let shared = Printer()
}

private let here = "DITestingTests/FallbackMainTests.swift"

extension Container {
  fileprivate var screen: MainActorFactory<Screen> { self { Screen("live") } }
  fileprivate var screenLater: AsyncFactory<Screen> { self { await Screen("live") } }
}

@Suite("A fallback of the main actor", .sandbox, .strict)
struct FallbackMainTests {
  private let shop = Resolver { r in
    r.registerMain { Screen("live") }
    r.registerAsync(name: "later") { await Screen("live") }
    r.register { LiveDisplay() as AnyObject }.implements((any Display).self)
  }

  @Test(
    "makes a double there, and keeps it",
    .fallbackMain(Screen.self) { Screen("fallback") })
  @MainActor func onMain() {
    #expect(shop.resolve(Screen.self).label == "fallback")
    #expect(shop.resolve(Screen.self) === shop.resolve(Screen.self))
  }

  @Test(
    "makes one whose conformances belong to the main actor",
    .fallbackMain((any Display).self) { FakeDisplay() })
  @MainActor func isolatedConformance() {
    #expect(shop.resolve((any Display).self) is FakeDisplay)
    #expect(shop.resolve((any Display).self) === shop.resolve((any Display).self))
  }

  @Test(
    "answers requests from elsewhere that can wait, wherever the live factory runs",
    .fallbackMain(Screen.self) { Screen("fallback") })
  func waiting() async throws {
    #expect(try await shop.requireAsync(Screen.self).label == "fallback")
    #expect(try await shop.requireAsync(Screen.self, name: "later").label == "fallback")
    #expect(try await Resolver().requireAsync(Screen.self).label == "fallback")
    #expect(await shop.optionalAsync(Screen.self)?.label == "fallback")
  }

  @Test(
    "answers for properties of the main actor, and those that are waited for",
    .fallbackMain(Screen.self) { Screen("fallback") })
  func properties() async throws {
    let container = Container()
    #expect(await container.screen().label == "fallback")
    #expect(try await container.screenLater().label == "fallback")
  }

  @Test(
    "never leaves a request to the live service, but says what is wrong",
    .fallbackMain((any Display).self) { FakeDisplay() })
  func elsewhere() {
    for _ in 0..<2 {
      let line = #line + 1
      let error = #expect(throws: ResolutionError.self) {
        try shop.require((any Display).self)
      }
      #expect(
        error?.description == """
          The fallback makes its double of `any Display` on the main actor, and was requested from \
          elsewhere without `await`.

            requested:  \(here):\(line)

          To fix this:
            - Request it with `await`: `try await Resolver.root.requireAsync((any Display).self)`.
            - Request it on the main actor.
            - Or let the fallback return a double that belongs to no actor: a `nonisolated` one.
          """)
    }
  }

  @Test(
    "refuses requests from elsewhere, too, once its double was made",
    .fallbackMain((any Display).self) { FakeDisplay() })
  func elsewhereLater() async {
    #expect(await label(of: shop) == "fake")
    let error = #expect(throws: ResolutionError.self) { try shop.require((any Display).self) }
    #expect(
      error?.description.hasPrefix(
        "The fallback makes its double of `any Display` on the main actor") == true)
  }

  @Test(
    "counts for requests on the main actor only, if its double can be used there alone",
    .strict(.off), .fallback { $0.type == (any Display).self ? FakeDisplay.shared : nil })
  func conformanceElsewhere() async {
    #expect(await label(of: shop) == "fake")
    #expect(throws: ResolutionError.self) { try shop.require((any Display).self) }
  }

  @MainActor private func label(of shop: Resolver) -> String {
    shop.resolve((any Display).self).label
  }

  @Test(
    "is an issue where its double has another type, and leaves the request to what is registered",
    .strict(.off), .fallback { _ in MainActorDouble { Screen("fallback") } })
  @MainActor func otherType() {
    let line: UInt = #line + 13
    expectIssue(
      """
      The fallback made a `Screen` on the main actor for `any Display`, which it is not: the double \
      is not used.

        requested:  \(here):\(line)

      To fix this:
        - Return a `MainActorDouble` of `any Display`: `MainActorDouble { … as any Display }`.
        - Or return nil for it, to leave the request to what is registered.
      """, atLine: line
    ) {
      let display = shop.resolve((any Display).self)
      #expect(display is LiveDisplay)
    }
  }

  @Test(
    "of another type leaves requests that are waited for to what is registered, too",
    .strict(.off), .fallback { _ in MainActorDouble { "fallback" } })
  func otherTypeWaiting() async throws {
    let shop = Resolver { r in
      r.registerAsync { LiveReceipt() }
      r.registerMain(name: "main") { LiveReceipt() }
    }
    for name: Resolver.Name? in [nil, "main"] {
      let service = name.map { "LiveReceipt \"\($0)\"" } ?? "LiveReceipt"
      for _ in 0..<2 {
        let line: UInt = #line + 13
        await expectIssue(
          """
          The fallback made a `String` on the main actor for `\(service)`, which it is not: the \
          double is not used.

            requested:  \(here):\(line)

          To fix this:
            - Return a `MainActorDouble` of `LiveReceipt`: `MainActorDouble { … as LiveReceipt }`.
            - Or return nil for it, to leave the request to what is registered.
          """, atLine: line
        ) {
          let receipt = try? await shop.requireAsync(LiveReceipt.self, name: name)
          #expect(receipt != nil)
        }
      }
    }
  }

  @Test(
    "gives way to a double that is registered while a request waits for the main actor",
    .fallback { key in
      // Called for a request that is not on the main actor, before it goes there.
      Resolver.registerAsync { await Screen("registered") }
      return key.type == Screen.self ? MainActorDouble { Screen("fallback") } : nil
    })
  func registeredMeanwhile() async throws {
    #expect(try await Resolver.main.requireAsync(Screen.self).label == "registered")
  }

  @Test(
    "may be one answer of a closure that is asked for every service",
    .fallback { key in
      key.type == Screen.self ? MainActorDouble { Screen("fallback") } : "text"
    })
  func closure() async throws {
    #expect(try await Resolver().requireAsync(Screen.self).label == "fallback")
    #expect(Resolver().resolve(String.self) == "text")
  }

  @Test(
    "is recorded as a double that is made once",
    .recorded, .fallbackMain(Screen.self) { Screen("fallback") })
  @MainActor func recorded() throws {
    for _ in 0..<2 { _ = shop.resolve(Screen.self) }
    let events = try #require(ResolutionRecorder.current).resolutions(of: Screen.self)
    #expect(events.map(\.kind) == [.created, .kept])
    #expect(events.map(\.isDouble) == [true, true])
  }

  @Test(
    "makes one for all who ask at the same time",
    .fallbackMain(Screen.self) { Screen("fallback") })
  func stress() async throws {
    let shop = shop
    let all = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<100 {
        group.addTask { ObjectIdentifier(try await shop.requireAsync(Screen.self)) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(all.count == 1)
  }
}
