@testable import DITesting
import Testing

@Suite("Pushed layers")
struct PushPopTests {
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  @Test("stack, and come off in reverse order, with the caches below as they were")
  func stack() {
    withSandbox {
      Resolver.root = shop
      let live = Resolver.resolve((any Payments).self)
      let first = Resolver.push {
        $0.register { FakePayments("first") as any Payments }.scope(.cached)
      }
      let kept = Resolver.resolve((any Payments).self)
      let second = Resolver.push { $0.register { FakePayments("second") as any Payments } }
      #expect(currentLabel() == "second")
      Resolver.pop(second)
      #expect(Resolver.resolve((any Payments).self) === kept)
      Resolver.pop(first)
      #expect(Resolver.resolve((any Payments).self) === live)
    }
  }

  @Test("are seen by the child tasks of their scope, those that run already included")
  func childTasks() async {
    await withSandbox {
      Resolver.root = shop
      let (stream, go) = AsyncStream<Void>.makeStream()
      async let child = { () async -> String in
        for await _ in stream { break }
        return currentLabel()
      }()
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      go.yield()
      #expect(await child == "fake")
      Resolver.pop(layer)
    }
  }

  @Test("can be pushed by a child task, and popped by another")
  func pushedByChildTask() async {
    await withSandbox {
      Resolver.root = shop
      async let pushed = Resolver.push { $0.register { FakePayments() as any Payments } }
      let layer = await pushed
      #expect(currentLabel() == "fake")
      async let popped: Void = Resolver.pop(layer)
      await popped
      #expect(currentLabel() == "live")
    }
  }

  @Test("take more doubles through their container")
  func container() {
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { _ in }
      layer.container.register { FakePayments() as any Payments }
      #expect(currentLabel() == "fake")
      Resolver.pop(layer)
    }
  }

  @Test("made by hand above main: its own registrations win, the rest is found below")
  func madeByHand() {
    withSandbox {
      Resolver.main.register { LivePayments() as any Payments }
      Resolver.main.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      let mock = Resolver(child: .main)
      mock.register { FakePayments() as any Payments }
      let layer = Resolver.push(mock)
      #expect(Resolver.root === Resolver.main)
      #expect(currentLabel() == "fake")
      #expect(Resolver.main.resolve((any Mailer).self).payments.label == "fake")
      Resolver.pop(layer)
      #expect(Resolver.main.resolve((any Mailer).self).payments.label == "live")
    }
  }

  @Test("with children of their own hand out what these register")
  func ownChildren() {
    let child = Resolver()
    child.register { Basket() }
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push(Resolver(child: child))
      #expect(Resolver.optional(Basket.self) != nil)
      #expect(shop.optional(Basket.self) != nil)
      Resolver.pop(layer)
      #expect(Resolver.optional(Basket.self) == nil)
    }
  }

  @Test("may be popped with a context that was taken while they were on top")
  func poppedWithItsContext() async {
    await withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      #expect(currentLabel() == "pushed")
      let context = ResolutionContext.current
      await Task.detached { context.run { Resolver.pop(layer) } }.value
      #expect(currentLabel() == "live")
    }
  }

  @Test("do not change what an assignment of the root changes")
  func rootInBetween() {
    let other = Resolver(child: shop)
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      Resolver.root = other
      #expect(Resolver.root === other)
      #expect(currentLabel() == "fake")
      Resolver.pop(layer)
      #expect(Resolver.root === other)
    }
  }

  @Test("do not take a scope's reset away from the caches that they bring")
  func resetInBetween() {
    withSandbox {
      Resolver.root = shop
      let below = Resolver.resolve((any Payments).self)
      let layer = Resolver.push { _ in }
      let above = Resolver.resolve((any Payments).self)
      Scope.cached.reset()
      #expect(Resolver.resolve((any Payments).self) !== above)
      Resolver.pop(layer)
      #expect(Resolver.resolve((any Payments).self) === below)
    }
  }

  @Test("rethrow what configure throws, and are not pushed then")
  func throwing() {
    withSandbox {
      Resolver.root = shop
      #expect(throws: OutOfStock.self) {
        _ = try Resolver.push { _ in throw OutOfStock() }
      }
      #expect(currentLabel() == "live")
    }
  }

  // MARK: Misuse

  @Test("popped twice are an issue at the second pop")
  func poppedTwice() {
    withSandbox {
      let layer = Resolver.push { _ in }
      let line: UInt = #line
      Resolver.pop(layer)
      expectIssue(
        """
        This layer was popped before.

          popped:  DITestingTests/PushPopTests.swift:\(line + 12)
          pushed:  DITestingTests/PushPopTests.swift:\(line - 1)

        To fix this:
          - Pop each once, in the reverse order of pushing.
        """, atLine: line + 12
      ) { Resolver.pop(layer) }
    }
  }

  @Test("popped inside a scope that was opened after them are an issue: there they still answer")
  func poppedInside() {
    withSandbox {
      Resolver.root = shop
      let line: UInt = #line
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      #expect(currentLabel() == "pushed")
      withLayer { _ in
      } operation: {
        let test = Test.current?.displayName ?? ""
        expectIssue(
          """
          This layer was popped inside a scope that was opened after it: there it still answers.

            popped:  DITestingTests/PushPopTests.swift:\(line + 18)
            pushed:  DITestingTests/PushPopTests.swift:\(line + 1)
            inside:  \(test), at DITestingTests/PushPopTests.swift:\(line + 3)

          To fix this:
            - Pop it where it was pushed, once the scope has ended.
            - Or use `withLayer`, which pops at its end.
          """, atLine: line + 18
        ) { Resolver.pop(layer) }
        // Without a word about a layer that has ended.
        #expect(currentLabel() == "pushed")
      }
      #expect(currentLabel() == "live")
    }
  }

  @Test("popped inside a later scope leave nothing of a sandbox that was opened on them")
  func sandboxOnPopped() {
    weak var held: FakePayments?
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { _ in }
      let opened = Sandbox.open { root in
        let payments = FakePayments("opened")
        held = payments
        root.register { payments as any Payments }
      }
      #expect(currentLabel() == "opened")
      withKnownIssue {
        withLayer { _ in
        } operation: {
          Resolver.pop(layer)
        }
      }
      opened.close()
    }
    #expect(held == nil)
  }

  @Test("popped out of order are one issue, and take the later ones with them")
  func outOfOrder() {
    withSandbox {
      Resolver.root = shop
      let line: UInt = #line
      let first = Resolver.push { _ in }
      let second = Resolver.push { $0.register { FakePayments("second") as any Payments } }
      let third = Resolver.push { _ in }
      #expect(currentLabel() == "second")
      expectIssue(
        """
        This layer was popped while 2 pushed later were still open.

          popped:  DITestingTests/PushPopTests.swift:\(line + 17)
          pushed:  DITestingTests/PushPopTests.swift:\(line + 1)
          open:    DITestingTests/PushPopTests.swift:\(line + 3)
          open:    DITestingTests/PushPopTests.swift:\(line + 2)

        To fix this:
          - Pop in the reverse order of pushing. All of these are off now.
        """, atLine: line + 17
      ) { Resolver.pop(first) }
      #expect(currentLabel() == "live")
      // Their own pops, in a `tearDown` further on, say nothing more.
      Resolver.pop(third)
      Resolver.pop(second)
    }
  }

  @Test("never popped are an issue each when the scope ends")
  func neverPopped() {
    let line: UInt = #line
    expectIssue(
      """
      This layer was pushed and never popped.

        pushed:  DITestingTests/PushPopTests.swift:\(line + 14)
        scope:   DITestingTests/PushPopTests.swift:\(line + 12)

      To fix this:
        - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
      """, atLine: line + 14
    ) {
      withRoot(shop) {
        // Nobody holds it, nobody can pop it.
        _ = Resolver.push { _ in }
      }
    }
    #expect(Resolver.root !== shop)
  }

  @Test("popped after their scope has ended say nothing more than that it was never popped")
  func poppedTooLate() async {
    var layer: Layer?
    withKnownIssue {
      withSandbox { layer = Resolver.push { _ in } }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("This layer was pushed and never popped.") ?? false
    }
    withSandbox { Resolver.pop(layer!) }
  }

  @Test("never popped within a recorder are an issue when the recorder is done")
  func neverPoppedInRecorder() {
    let line: UInt = #line
    withSandbox {
      expectIssue(
        """
        This layer was pushed and never popped.

          pushed:  DITestingTests/PushPopTests.swift:\(line + 14)
          scope:   DITestingTests/PushPopTests.swift:\(line + 13)

        To fix this:
          - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
        """, atLine: line + 14
      ) {
        withRecorder(ResolutionRecorder()) {
          _ = Resolver.push { _ in }
        }
      }
    }
  }

  @Test("that nobody encloses answer the process, and a second test's are an issue")
  func processWide() async {
    // In a process of its own: elsewhere they would answer other tests.
    await #expect(processExitsWith: .success) {
      let shop = Resolver()
      shop.register { LivePayments() as any Payments }
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      #expect(currentLabel() == "fake")
      #expect(await Task.detached { currentLabel() }.value == "fake")
      withSandbox { #expect(currentLabel() == "fake") }
      Resolver.pop(layer)
      #expect(currentLabel() == "live")
    }
  }

  @Test("that nobody encloses are a warning where other tests run at the same time")
  func processWideAmongOthers() async {
    await #expect(processExitsWith: .success) {
      let location = CodeLocation(
        fileID: "Shop/Tests.swift", filePath: "/Shop/Tests.swift", line: 7, column: 1)
      withKnownIssue {
        Resolver.pop(
          LayerStack.push(.layer, container: Resolver(), at: location, amongOthers: true))
      } matching: {
        $0.severity == .warning && $0.sourceLocation?.line == 7
          && $0.comments == [
            """
            This layer answers the whole process: no scope is around the push.

              pushed:  Shop/Tests.swift:7

            To fix this:
              - Add the `.sandbox` trait to the test or suite: the layer is then the test's own.
              - Or enclose the code that it is for with `withLayer`, which pops it too.
            """
          ]
      }
      // In a scope it is the scope's.
      withSandbox {
        Resolver.pop(
          LayerStack.push(.layer, container: Resolver(), at: location, amongOthers: true))
      }
    }
  }

  @Test("that two tests push for the process are an issue at the second push")
  func twoTests() async {
    await #expect(processExitsWith: .success) {
      XCTestCaseObserver.set("the first test")
      let first = Resolver.push { _ in }
      XCTestCaseObserver.set("the second test")
      withKnownIssue {
        Resolver.pop(Resolver.push { _ in })
      } matching: {
        $0.comments.first?.rawValue.hasPrefix(
          "Two tests change the process's containers at the same time.") ?? false
      }
      Resolver.pop(first)
    }
  }
}
