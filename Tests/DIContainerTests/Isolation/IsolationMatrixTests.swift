import DIContainer
import TestSupport
import Testing

/// {sync, main actor, async, async throwing} × {registered, doubled} ×
/// {asked from nonisolated, main actor, other actor, detached code}: every request that waits is
/// answered, on the right executor.
@Suite("Isolation: every kind of factory answers everywhere")
struct IsolationMatrixTests {
  // Detached work belongs to no test.
  init() { _ = threadsAreOurs }

  enum Kind: String, CaseIterable { case sync, main, async, asyncThrowing }

  static func container(_ kind: Kind, isDoubled: Bool) -> Resolver {
    let resolver = Resolver()
    switch kind {
    case .sync:
      resolver.register { LocalTeaCatalog(source: "live") as any TeaCatalog }
    case .main:
      resolver.registerMain {
        MainActor.assertIsolated()
        return LocalTeaCatalog(source: "live") as any TeaCatalog
      }
    case .async:
      resolver.registerAsync {
        await Task.yield()
        return LocalTeaCatalog(source: "live") as any TeaCatalog
      }
    case .asyncThrowing:
      resolver.registerAsync {
        await Task.yield()
        try Task.checkCancellation()
        return LocalTeaCatalog(source: "live") as any TeaCatalog
      }
    }
    guard isDoubled else { return resolver }
    let test = Resolver(child: resolver)
    test.register { LocalTeaCatalog(source: "double") as any TeaCatalog }
    return test
  }

  @Test("from nonisolated code", arguments: Kind.allCases, [false, true])
  func nonisolated(kind: Kind, isDoubled: Bool) async throws {
    let resolver = Self.container(kind, isDoubled: isDoubled)
    let catalog: any TeaCatalog = await resolver.resolveAsync()
    #expect(catalog.source == (isDoubled ? "double" : "live"))
    #expect(try await resolver.requireAsync((any TeaCatalog).self).source == catalog.source)
    #expect(await resolver.optionalAsync((any TeaCatalog).self)?.source == catalog.source)
  }

  @MainActor
  @Test("from the main actor", arguments: Kind.allCases, [false, true])
  func onMain(kind: Kind, isDoubled: Bool) async throws {
    let resolver = Self.container(kind, isDoubled: isDoubled)
    let catalog: any TeaCatalog = await resolver.resolveAsync()
    #expect(catalog.source == (isDoubled ? "double" : "live"))
    MainActor.assertIsolated()
    if isDoubled || kind == .sync || kind == .main {
      let same: any TeaCatalog = resolver.resolve()
      #expect(same.source == catalog.source)
      #expect(resolver.optional((any TeaCatalog).self)?.source == catalog.source)
    }
  }

  @StoreActor
  @Test("from another global actor", arguments: Kind.allCases, [false, true])
  func onOther(kind: Kind, isDoubled: Bool) async throws {
    let resolver = Self.container(kind, isDoubled: isDoubled)
    let catalog: any TeaCatalog = await resolver.resolveAsync()
    #expect(catalog.source == (isDoubled ? "double" : "live"))
    StoreActor.assertIsolated()
    if isDoubled || kind == .sync {
      #expect(try resolver.require((any TeaCatalog).self).source == catalog.source)
    }
  }

  @Test("from a detached task", arguments: Kind.allCases, [false, true])
  func detached(kind: Kind, isDoubled: Bool) async throws {
    let resolver = Self.container(kind, isDoubled: isDoubled)
    let catalog = await Task.detached { await resolver.resolveAsync((any TeaCatalog).self) }.value
    #expect(catalog.source == (isDoubled ? "double" : "live"))
  }

  @Test("without await, from anywhere, nothing traps", arguments: Kind.allCases, [false, true])
  func sync(kind: Kind, isDoubled: Bool) async {
    let resolver = Self.container(kind, isDoubled: isDoubled)
    func reason() -> ResolutionError.Reason? {
      do throws(ResolutionError) {
        _ = try resolver.require((any TeaCatalog).self)
        return nil
      } catch {
        return error.reason
      }
    }
    let expected: ResolutionError.Reason? =
      switch isDoubled ? .sync : kind {
      case .sync: nil
      case .main: .needsMainActor
      case .async, .asyncThrowing: .needsAwait
      }
    #expect(reason() == expected)
    let detached = await Task.detached { @Sendable in
      do throws(ResolutionError) {
        _ = try resolver.require((any TeaCatalog).self)
        return ResolutionError.Reason?.none
      } catch {
        return error.reason
      }
    }.value
    #expect(detached == expected)
  }
}
