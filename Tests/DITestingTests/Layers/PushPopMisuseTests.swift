@testable import DITesting
import Testing

// Layers that are popped at another place or time than they should be, or never.

@Suite("Pushed layers, when misused,")
struct PushPopMisuseTests {
  let shop = makeShop()

  @Test("popped twice are an issue at the second pop")
  func poppedTwice() {
    withSandbox {
      let layer = Resolver.push { _ in }
      let line: UInt = #line
      Resolver.pop(layer)
      expectIssue(
        """
        This layer was popped before.

          popped:  DITestingTests/PushPopMisuseTests.swift:\(line + 12)
          pushed:  DITestingTests/PushPopMisuseTests.swift:\(line - 1)

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
          This layer was popped inside a scope that was opened after it: it still applies there.

            popped:  DITestingTests/PushPopMisuseTests.swift:\(line + 18)
            pushed:  DITestingTests/PushPopMisuseTests.swift:\(line + 1)
            inside:  \(test), at DITestingTests/PushPopMisuseTests.swift:\(line + 3)

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

  @Test("closed for a sandbox that was opened later, tell what that did not use")
  func unusedInSandboxAbove() {
    let issues = headlines {
      withSandbox {
        let outer = Sandbox.open()
        _ = Sandbox.open()
        shop.register { FakePayments() as any Payments }
        outer.close()
      }
    }
    #expect(
      issues == [
        "This sandbox was closed while 1 opened later was still open.",
        "The double for `any Payments` was never resolved.",
      ])
  }

  @Test("never popped, tell what they did not use")
  func unusedAndNeverClosed() {
    let issues = headlines {
      withSandbox {
        _ = Sandbox.open()
        shop.register { FakePayments() as any Payments }
      }
    }
    #expect(
      issues == [
        "This sandbox was opened and never closed.",
        "The double for `any Payments` was never resolved.",
      ])
  }

  /// The first lines of the issues of an operation whose findings are failures.
  private func headlines(_ operation: () -> Void) -> [String] {
    let headlines = Lock<[String]>([])
    withKnownIssue {
      withStrictness(.fail, operation: operation)
    } matching: { issue in
      headlines.withLock {
        $0.append(issue.comments.first.map { String($0.rawValue.prefix { $0 != "\n" }) } ?? "")
      }
      return true
    }
    return headlines.withLock { $0 }
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

          popped:  DITestingTests/PushPopMisuseTests.swift:\(line + 17)
          pushed:  DITestingTests/PushPopMisuseTests.swift:\(line + 1)
          open:    DITestingTests/PushPopMisuseTests.swift:\(line + 3)
          open:    DITestingTests/PushPopMisuseTests.swift:\(line + 2)

        To fix this:
          - Pop in the reverse order of pushing. All of these are off now.
        """, atLine: line + 17
      ) { Resolver.pop(first) }
      #expect(currentLabel() == "live")
      // That they are popped in turn follows from the one mistake.
      for layer in [third, second] { Resolver.pop(layer) }
    }
  }

  @Test("never popped are an issue each when the scope ends")
  func neverPopped() {
    let line: UInt = #line
    expectIssue(
      """
      This layer was pushed and never popped.

        pushed:  DITestingTests/PushPopMisuseTests.swift:\(line + 14)
        scope:   DITestingTests/PushPopMisuseTests.swift:\(line + 12)

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

          pushed:  DITestingTests/PushPopMisuseTests.swift:\(line + 14)
          scope:   DITestingTests/PushPopMisuseTests.swift:\(line + 13)

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
}
