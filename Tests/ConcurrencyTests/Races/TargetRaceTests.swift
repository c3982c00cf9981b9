import DITesting
import Testing

private protocol Slip: Sendable {
  var text: String { get }
}

private struct PaperSlip: Slip {
  let text: String
}

private let slips = Resolver { r in
  r.register(name: "sync") { PaperSlip(text: "live") }.implements((any Slip).self, name: "sync")
  r.registerAsync(name: "async") { PaperSlip(text: "live") }
    .implements((any Slip).self, name: "async")
}

/// A container whose services decorate those of the other one.
private let stamped = Resolver(child: slips) { r in
  for name in ["sync", "async"] as [Resolver.Name] {
    r.decorate(PaperSlip.self, name: name) { PaperSlip(text: "stamped \($0.text)") }
  }
}

private let searches = Lock<[ServiceKey: Int]>([:])

/// A fallback without doubles, which registers a service anew once a request has found it.
///
/// The first call is for the decision where to resolve the request, the second for a double.
@Sendable private func registersAnew(_ key: ServiceKey) -> Any? {
  let calls = searches.withLock { searches in
    searches[key, default: 0] += 1
    return searches[key]
  }
  guard calls == 2 else { return nil }
  if key.name == "sync" {
    slips.registerAsync(name: "sync") { PaperSlip(text: "new") }
  } else {
    slips.register(name: "async") { PaperSlip(text: "new") }
  }
  return nil
}

@Suite(
  "A request with await, while what serves it is registered anew to run elsewhere,", .sandbox,
  .fallback(registersAnew), .serialized)
struct TargetRaceTests {
  init() { searches.withLock { $0 = [:] } }

  @Test("returns the service that it found, through its alias", arguments: ["sync", "async"])
  func alias(name: String) async throws {
    let slip = try await slips.requireAsync((any Slip).self, name: Resolver.Name(name))
    #expect(slip.text == "live")
  }

  @Test("returns the service that it found, decorated", arguments: ["sync", "async"])
  func decoration(name: String) async throws {
    let slip = try await stamped.requireAsync(PaperSlip.self, name: Resolver.Name(name))
    #expect(slip.text == "stamped live")
  }

  @Test("fails with the error of a factory that needs it without await")
  func needsAwait() async throws {
    slips.registerAsync { PaperSlip(text: "async") }
    slips.register { r in try r.require(PaperSlip.self) as any Slip }
    let error = await #expect(throws: ResolutionError.self) {
      try await slips.requireAsync((any Slip).self)
    }
    #expect(error?.reason == .needsAwait)
  }
}
