import DIContainer
import Foundation
import TestSupport
import Testing

private final class Beans: Sendable {}
private final class Roast: Sendable {}
private final class Blend: Sendable {}

private final class RoastingHouse: SharedContainer {
  static let shared = RoastingHouse()
  let manager = ContainerManager()
  var brand: AsyncFactory<RemoteTeaCatalog> {
    self { await RemoteTeaCatalog.load() }.singleton
  }
}

@Suite("Isolation concurrency: tasks and threads at one keeper")
struct AwaitConcurrencyTests {
  private let rounds = isUnderThreadSanitizer ? 100 : 500

  @Test("What a task has made and kept stays where a thread that began before it ends after it")
  func keptByTask() async throws {
    let (isUnderWay, mayEnd) = (Counter(), Counter())
    let (front, back) = (RoastingHouse(), RoastingHouse())
    front.brand.register {
      isUnderWay.increment()
      while mayEnd.value == 0 { sched_yield() }
      return RemoteTeaCatalog(source: "double")
    }
    // On the main actor, because it blocks its thread.
    let earlier = Task { @MainActor in try await front.brand() }
    await until { isUnderWay.value == 1 }
    let kept = try await back.brand()
    mayEnd.increment()
    #expect(try await earlier.value.source == "double")
    #expect(try await back.brand() === kept)
    #expect(try await front.brand() === kept)
  }

  @Test("What a thread has made and kept stays where a task that began after it ends after it")
  func keptByThread() async throws {
    let (isUnderWay, mayEnd, isAwaited, mayReturn) = (Counter(), Counter(), Counter(), Counter())
    // Both are registered at one place, so they have one keeper.
    let (front, back) = (Resolver(), Resolver())
    let (line, column): (UInt, UInt) = (#line, 0)
    front.register(line: line, column: column) {
      isUnderWay.increment()
      while mayEnd.value == 0 { sched_yield() }
      return RemoteTeaCatalog(source: "double")
    }.scope(.single)
    back.registerAsync(line: line, column: column) {
      isAwaited.increment()
      await until { mayReturn.value == 1 }
      return await RemoteTeaCatalog.load()
    }.scope(.single)
    // On the main actor, because it blocks its thread.
    let earlier = Task { @MainActor in front.resolve(RemoteTeaCatalog.self) }
    await until { isUnderWay.value == 1 }
    let later = Task { try await back.requireAsync(RemoteTeaCatalog.self) }
    await until { isAwaited.value == 1 }
    mayEnd.increment()
    let kept = await earlier.value
    #expect(front.resolve(RemoteTeaCatalog.self) === kept)
    mayReturn.increment()
    _ = try await later.value
    #expect(front.resolve(RemoteTeaCatalog.self) === kept)
    #expect(try await back.requireAsync(RemoteTeaCatalog.self) === kept)
  }

  @Test("Threads and tasks that build at the same time leave one instance for all who come later")
  func threadsAndTasks() async throws {
    for round in 0..<rounds {
      // Both are registered at one place, so they have one keeper.
      let (front, back) = (Resolver(), Resolver())
      let (line, column): (UInt, UInt) = (#line, UInt(round))
      front.register(line: line, column: column) { RemoteTeaCatalog(source: "double") }
        .scope(.single)
      back.registerAsync(line: line, column: column) { await RemoteTeaCatalog.load() }
        .scope(.single)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          let shop = number.isMultiple(of: 2) ? front : back
          group.addTask { _ = try await shop.requireAsync(RemoteTeaCatalog.self) }
        }
        try await group.waitForAll()
      }
      let kept = try await back.requireAsync(RemoteTeaCatalog.self)
      #expect(try await front.requireAsync(RemoteTeaCatalog.self) === kept)
      #expect(try await back.requireAsync(RemoteTeaCatalog.self) === kept)
    }
  }

  @Test("A waiter that is cancelled while the build ends gets the instance or leaves")
  func cancelledMeanwhile() async throws {
    for _ in 0..<rounds {
      let resolver = Resolver()
      resolver.registerAsync { await RemoteTeaCatalog.load() }.scope(.cached)
      let requests = (0..<8).map { _ in
        Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
      }
      for request in requests[..<4] { request.cancel() }
      let kept = try await requests[7].value
      for request in requests[4...] { #expect(try await request.value === kept) }
      for request in requests[..<4] {
        switch await request.result {
        case .success(let catalog): #expect(catalog === kept)
        case .failure(let error): #expect((error as? ResolutionError)?.reason == .cancelled)
        }
      }
    }
  }

  @Test("Services that need each other never wait for each other, wherever tasks begin")
  func cycles() async {
    for _ in 0..<rounds {
      let shop = Resolver()
      shop.registerAsync(factory: { r in
        _ = try await r.requireAsync(Roast.self); return Beans()
      }).scope(.cached)
      shop.registerAsync(factory: { r in
        _ = try await r.requireAsync(Blend.self); return Roast()
      }).scope(.cached)
      shop.registerAsync(factory: { r in
        _ = try await r.requireAsync(Beans.self); return Blend()
      }).scope(.cached)
      let requests: [@Sendable () async throws -> Void] = [
        { _ = try await shop.requireAsync(Beans.self) },
        { _ = try await shop.requireAsync(Roast.self) },
        { _ = try await shop.requireAsync(Blend.self) },
      ]
      await withTaskGroup { group in
        for request in requests + requests {
          group.addTask {
            let error = await #expect(throws: ResolutionError.self) { try await request() }
            #expect(error?.reason == .cycle)
          }
        }
      }
    }
  }
}
