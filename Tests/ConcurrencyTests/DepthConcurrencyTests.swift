import DIContainer
import DITesting
import Foundation
import TestSupport
import Testing

private final class Link: Sendable {
  let next: Link?
  init(next: Link?) { self.next = next }

  var length: Int {
    var length = 0
    var link: Link? = self
    while let current = link {
      length += 1
      link = current.next
    }
    return length
  }
}

/// How deep dependencies may be nested.
@Suite("Concurrency: depth")
struct DepthConcurrencyTests {
  /// The size of a main thread's stack; more where every frame is instrumented.
  private static let mainStack = (isUnderThreadSanitizer ? 32 : 8) << 20

  /// Stacks that are too small for a chain.
  ///
  /// The sanitizer's own stack holds 65,536 calls and it does not look whether one more fits: a
  /// large stack has room for more.
  private static let stackSizes =
    isUnderThreadSanitizer ? [64 << 10, 128 << 10, 512 << 10] : [64 << 10, 512 << 10, 8 << 20]

  /// A length that no stack of a size holds: each link takes more than 300 bytes, and a thread may
  /// be given the stack of one that ended, of up to four times the size that it asks for.
  private static func tooLong(for stackSize: Int) -> Int { 4 * stackSize / 300 }

  private static func chain(of length: Int, _ scope: Scope, throwing: Bool) -> Resolver {
    let resolver = Resolver()
    for number in 1...length {
      let next = Resolver.Name("\(number + 1)")
      let name = Resolver.Name("\(number)")
      if number == length {
        resolver.register(name: name) { Link(next: nil) }.scope(scope)
      } else if throwing {
        resolver.register(name: name) { r in
          Link(next: try r.require(Link.self, name: next))
        }.scope(scope)
      } else {
        resolver.register(name: name) { r in Link(next: r.resolve(Link.self, name: next)) }
          .scope(scope)
      }
    }
    return resolver
  }

  @Test(
    "1,000 nested dependencies resolve on a stack as large as a main thread's",
    arguments: [Scope.unique, .graph, .shared, .cached, .container], [false, true])
  func deepChain(scope: Scope, throwing: Bool) {
    let length = onOwnThread(stackSize: Self.mainStack) {
      Self.chain(of: 1_000, scope, throwing: throwing)
        .resolve(Link.self, name: "1").length
    }
    #expect(length == 1_000)
  }

  @Test("1,000 nested dependencies resolve while a recorder listens")
  func deepRecordedChain() {
    let recorder = ResolutionRecorder()
    let length = onOwnThread(stackSize: Self.mainStack) {
      withRecorder(recorder) {
        Self.chain(of: 1_000, .cached, throwing: false).resolve(Link.self, name: "1").length
      }
    }
    #expect(length == 1_000)
    #expect(recorder.events.last?.depth == 999)
  }

  @Test(
    "1,000 nested dependencies resolve on the main actor",
    .disabled(if: isUnderThreadSanitizer, "the main thread's stack cannot be enlarged"))
  func mainActor() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let chain = Self.chain(of: 1_000, .cached, throwing: false)
        #expect(chain.resolve(Link.self, name: "1").length == 1_000)
      }
    }
  }

  @Test(
    "A chain too deep for its thread is reported before the stack overflows",
    arguments: stackSizes, [Scope.graph, .cached])
  func tooDeep(stackSize: Int, scope: Scope) {
    let error = onOwnThread(stackSize: stackSize) {
      let chain = Self.chain(of: Self.tooLong(for: stackSize), scope, throwing: true)
      do throws(ResolutionError) {
        _ = try chain.require(Link.self, name: "1")
        return nil as ResolutionError?
      } catch {
        return error
      }
    }
    #expect(error?.reason == .tooDeep)
    #expect(error?.chain.first == ServiceKey(Link.self, name: "1"))
  }

  @Test("A factory that asks for itself with other arguments without an end is reported")
  func endlessRecursion() {
    let resolver = Resolver()
    resolver.register { r, args -> Int in
      let n: Int = args()
      return try r.require(Int.self, args: n + 1)
    }
    let error = onOwnThread(stackSize: 512 << 10) {
      do throws(ResolutionError) {
        _ = try resolver.require(Int.self, args: 0)
        return nil as ResolutionError?
      } catch {
        return error
      }
    }
    #expect(error?.reason == .tooDeep)
    #expect(error?.description.contains(" more … → ") ?? false)
  }

  @Test(
    "A trap deep down has room to print its diagnosis",
    .disabled(if: isUnderThreadSanitizer, "the sanitizer unwinds a trapped stack for minutes"))
  func trapWhenTooDeep() async {
    expectTooDeep(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Self.resolveTooDeep(stackSize: 512 << 10)
      })
  }

  @Test(
    "A trap deep down on a small stack has room to print its diagnosis",
    .disabled(if: isUnderThreadSanitizer, "the sanitizer unwinds a trapped stack for minutes"))
  func trapWhenTooDeepForASmallStack() async {
    expectTooDeep(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Self.resolveTooDeep(stackSize: 256 << 10)
      })
  }

  private static func resolveTooDeep(stackSize: Int) {
    onOwnThreads(1, stackSize: stackSize) { _ in
      let chain = Self.chain(of: Self.tooLong(for: stackSize), .unique, throwing: false)
      _ = chain.resolve(Link.self, name: "1")
    }
  }

  private func expectTooDeep(_ result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("exceeds this thread's stack"))
    #expect(text.contains("more … → "))
  }

  @Test("After a chain that was too deep its thread resolves as before")
  func afterwards() {
    let isFine = onOwnThread(stackSize: 256 << 10) {
      let deep = Self.chain(of: Self.tooLong(for: 256 << 10), .unique, throwing: true)
      for _ in 0..<3 {
        do { _ = try deep.require(Link.self, name: "1") } catch {}
      }
      return Self.chain(of: 10, .unique, throwing: true).resolve(Link.self, name: "1").length == 10
    }
    #expect(isFine)
  }
}
