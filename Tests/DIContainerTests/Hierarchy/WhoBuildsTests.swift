import DIContainer
import Testing

// A parent has a checkout and a mailer, a child has a mailer of its own. Which mailer does the
// checkout get, and who shares it, when either of them is asked first?

private class Mailer {}
private final class LiveMailer: Mailer {}
private final class ChildMailer: Mailer {}

private final class Checkout {
  let mailer: Mailer
  init(mailer: Mailer) { self.mailer = mailer }
}

/// Who asks first.
private enum First: CaseIterable, CustomTestStringConvertible {
  case parent, child
  var testDescription: String { self == .parent ? "parent asked first" : "child asked first" }
}

private struct Answers {
  let parent: Checkout
  let child: Checkout
  // Containers hold what was kept.
  let containers: (Resolver, Resolver)

  init(_ scope: Scope, first: First) {
    let parent = Resolver()
    parent.register { LiveMailer() as Mailer }
    // A site of its own for each case: cases run at the same time, and a site is process-wide.
    parent.register(line: first == .parent ? 1 : 2) { r in Checkout(mailer: r.resolve()) }
      .scope(scope)
    let child = Resolver(parent: parent)
    child.register { ChildMailer() as Mailer }
    containers = (parent, child)
    switch first {
    case .parent:
      self.parent = parent.resolve()
      self.child = child.resolve()
    case .child:
      self.child = child.resolve()
      self.parent = parent.resolve()
    }
  }
}

@Suite struct WhoBuildsTests {
  @Test(arguments: First.allCases)
  fileprivate func `Per container, the owner builds and keeps, whoever asks first`(first: First) {
    let answers = Answers(.perContainer(.strong), first: first)
    #expect(answers.parent === answers.child)
    #expect(answers.parent.mailer is LiveMailer)
  }

  @Test(arguments: First.allCases)
  fileprivate func `Weakly per container, the owner builds too`(first: First) {
    let answers = Answers(.perContainer(.weak), first: first)
    #expect(answers.parent === answers.child)
    #expect(answers.parent.mailer is LiveMailer)
  }

  @Test(arguments: First.allCases)
  fileprivate func `In the container scope, each container that is asked builds its own`(
    first: First
  ) {
    let answers = Answers(.container, first: first)
    #expect(answers.parent !== answers.child)
    #expect(answers.parent.mailer is LiveMailer)
    #expect(answers.child.mailer is ChildMailer)
  }

  @Test(
    arguments: [
      Scope.cached, .shared, .application, .singleton, .single, .perRun(.strong), .perRun(.weak),
      .cache("session"),
    ], First.allCases)
  fileprivate func `In process-wide scopes, the container asked first builds for all`(
    scope: Scope, first: First
  ) {
    let answers = Answers(scope, first: first)
    #expect(answers.parent === answers.child)
    #expect((answers.parent.mailer is ChildMailer) == (first == .child))
  }

  @Test(arguments: [Scope.unique, .graph, .prototype, .objectGraph], First.allCases)
  fileprivate func `Without a keeper, each container that is asked builds`(
    scope: Scope, first: First
  ) {
    let answers = Answers(scope, first: first)
    #expect(answers.parent !== answers.child)
    #expect(answers.parent.mailer is LiveMailer)
    #expect(answers.child.mailer is ChildMailer)
  }
}
