import DIContainer
import TestSupport
import Testing

private final class Orders: Sendable { init(_ payments: Payments) {} }
private final class Payments: Sendable { init(_ mailer: Mailer) {} }
private final class Mailer: Sendable { init(_ orders: Orders) {} }

private final class Editor {
  var printer: Printer?
}

private final class Printer {
  weak var editor: Editor?
}

/// Dependencies that lead back to where they began.
@Suite("Concurrency: cycles")
struct CycleConcurrencyTests {
  /// Where the two threads' factories wait for each other before they ask on.
  private static func circle(
    _ scope: Scope, meetAt meeting: @escaping @Sendable (Any.Type) -> Void = { _ in }
  ) -> Resolver {
    let resolver = Resolver()
    resolver.register { r in
      meeting(Orders.self)
      return Orders(try r.require())
    }.scope(scope)
    resolver.register { r in
      meeting(Payments.self)
      return Payments(try r.require())
    }.scope(scope)
    resolver.register { r in
      meeting(Mailer.self)
      return Mailer(try r.require())
    }.scope(scope)
    return resolver
  }

  private static let chain = [
    ServiceKey(Orders.self), ServiceKey(Payments.self), ServiceKey(Mailer.self),
    ServiceKey(Orders.self),
  ]

  /// Whether keys go once round the circle, from wherever.
  private static func isCircle(_ keys: [ServiceKey]) -> Bool {
    guard keys.count == 4, let start = chain.firstIndex(of: keys[0]) else { return false }
    return keys == (0...3).map { chain[(start + $0) % 3] }
  }

  @Test(
    "A cycle on one thread is reported with its chain, in every scope",
    arguments: [Scope.unique, .graph, .shared, .cached, .application, .container])
  func oneThread(scope: Scope) {
    let resolver = Self.circle(scope)
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Orders.self) }
    #expect(error?.reason == .cycle)
    #expect(error?.key == ServiceKey(Orders.self))
    #expect(error?.chain == Self.chain)
  }

  @Test("A cycle through initialisers is reported without a closure in sight")
  func initialisers() {
    let resolver = Resolver()
    resolver.register(Orders.init)
    resolver.register(Payments.init)
    resolver.register(Mailer.init)
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Mailer.self) }
    #expect(error?.chain.map(\.description) == ["Mailer", "Orders", "Payments", "Mailer"])
  }

  @Test(
    "Two threads that start at different ends both get the cycle, and neither hangs",
    arguments: [Scope.cached, .application, .shared, .container])
  func twoThreads(scope: Scope) {
    for _ in 0..<50 {
      let both = Barrier(2)
      let resolver = Self.circle(scope) { type in
        // Each thread holds its first service before either asks for the next.
        if type != Mailer.self { both.wait() }
      }
      let errors = Lock<[ResolutionError]>([])
      onOwnThreads(2) { thread in
        do throws(ResolutionError) {
          if thread == 0 { _ = try resolver.require(Orders.self) }
          if thread == 1 { _ = try resolver.require(Payments.self) }
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
      let all = errors.withLock { $0 }
      #expect(all.map(\.reason) == [.cycle, .cycle])
      #expect(all.allSatisfy { Self.isCircle($0.chain) }, "\(all.map(\.chain))")
    }
  }

  @Test("Three threads, each holding a third of the circle, all get the cycle")
  func threeThreads() {
    for _ in 0..<50 {
      let all = Barrier(3)
      let resolver = Self.circle(.cached) { _ in all.wait() }
      let errors = Lock<[ResolutionError]>([])
      onOwnThreads(3) { thread in
        do throws(ResolutionError) {
          switch thread {
          case 0: _ = try resolver.require(Orders.self)
          case 1: _ = try resolver.require(Payments.self)
          default: _ = try resolver.require(Mailer.self)
          }
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
      let found = errors.withLock { $0 }
      #expect(found.count == 3)
      #expect(found.allSatisfy { $0.reason == .cycle && Self.isCircle($0.chain) })
    }
  }

  @Test("Two threads whose services share a third one are no cycle")
  func diamond() {
    for _ in 0..<50 {
      let resolver = Resolver()
      let both = Barrier(2)
      resolver.register(name: "shared") { "mail" }.scope(.cached)
      for name in ["left", "right"] {
        resolver.register(name: Resolver.Name(name)) { r -> String in
          both.wait()
          return try r.require(String.self, name: "shared") + name
        }.scope(.cached)
      }
      let answers = Lock<Set<String>>([])
      onOwnThreads(2) { thread in
        let name: Resolver.Name = thread == 0 ? "left" : "right"
        if let answer = try? resolver.require(String.self, name: name) {
          _ = answers.withLock { $0.insert(answer) }
        }
      }
      #expect(answers.withLock { $0 } == ["mailleft", "mailright"])
    }
  }

  @Test(
    "Services that refer to each other by way of properties resolve from both ends at once",
    arguments: [Scope.cached, .shared])
  func mutualProperties(scope: Scope) {
    for _ in 0..<50 {
      let resolver = Resolver()
      let both = Barrier(2)
      resolver.register { Editor() }.scope(scope).resolveProperties { r, editor in
        both.wait()
        editor.printer = try r.require(Printer.self)
      }
      resolver.register { Printer() }.scope(scope).resolveProperties { r, printer in
        both.wait()
        printer.editor = try r.require(Editor.self)
      }
      let found = Lock<(editor: Editor?, printer: Printer?)>((nil, nil))
      onOwnThreads(2) { thread in
        if thread == 0 {
          let editor = try? resolver.require(Editor.self)
          found.withLock { $0.editor = editor }
        } else {
          let printer = try? resolver.require(Printer.self)
          found.withLock { $0.printer = printer }
        }
      }
      let (editor, printer) = found.withLock { $0 }
      #expect(editor != nil && editor === printer?.editor)
      #expect(printer != nil && printer === editor?.printer)
    }
  }

  @Test("A service that asks for itself with other arguments is no cycle")
  func recursionWithArguments() {
    let resolver = Resolver()
    resolver.register(name: "sum") { r, args -> Int in
      let n: Int = args()
      return n == 0 ? 0 : n + r.resolve(Int.self, name: "sum", args: n - 1)
    }
    #expect(resolver.resolve(Int.self, name: "sum", args: 100) == 5050)
  }
}
