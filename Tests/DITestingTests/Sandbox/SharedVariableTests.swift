@testable import DITesting
import Testing

/// The usual helper of Resolver's users, `static var test: Resolver!`, in tests that run in
/// parallel: each replaces the other's container.
@Suite("A variable that tests share", .sandbox)
struct SharedVariableTests {
  private static let advice = """
    If tests share a variable that holds a container, let it follow the root, which every sandbox \
    has for itself: `static var test: Resolver! { get { root } set { root = newValue } }`.
    """

  private func description(_ request: () throws(ResolutionError) -> Basket) -> String {
    do throws(ResolutionError) {
      _ = try request()
      return ""
    } catch {
      return error.description
    }
  }

  @Test("whoever registered in another test's container is told whose it is")
  func registeredElsewhere() async {
    let test = Test.current?.displayName ?? ""
    let line: UInt = #line + 1
    await withSandbox {
      let theirs = Resolver(child: .main)
      theirs.register { FakePayments() as any Payments }
      let text = await Task.detached {
        withSandbox {
          Resolver.root = Resolver(child: .main)
          // The variable has become the other test's meanwhile.
          theirs.register { Basket() }
          return description { () throws(ResolutionError) in try Resolver.require(Basket.self) }
        }
      }.value
      let file = "DITestingTests/SharedVariableTests.swift"
      #expect(
        text == """
          Nothing is registered for `Basket`.

            requested:  \(file):\(line + 8)
            asked:      container made at \(file):\(line + 5)
            note:       this test registered it in container made at \(file):\(line + 1): \
          \(file):\(line + 7)
            note:       another test fills that container: \(test), at \(file):\(line)

          To fix this:
            - \(Self.advice)
            - Register it: `register { … as Basket }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as `Basket?`.
          """)
      #expect(theirs.resolve((any Payments).self).label == "fake")
    }
  }

  @Test("whoever asks another test's container is told whose it is")
  func askedElsewhere() async {
    let test = Test.current?.displayName ?? ""
    let line: UInt = #line + 1
    await withSandbox {
      let theirs = Resolver(child: .main)
      theirs.register { FakePayments() as any Payments }
      let text = await Task.detached {
        withSandbox {
          Resolver(child: .main).register { Basket() }
          return description { () throws(ResolutionError) in try theirs.require(Basket.self) }
        }
      }.value
      let file = "DITestingTests/SharedVariableTests.swift"
      #expect(
        text == """
          Nothing is registered for `Basket`.

            requested:  \(file):\(line + 6)
            asked:      container made at \(file):\(line + 1)
            note:       another test fills container made at \(file):\(line + 1): \(test), \
          at \(file):\(line)

          To fix this:
            - \(Self.advice)
            - Register it: `register { … as Basket }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as `Basket?`.
          """)
    }
  }

  @Test("a test's own containers are nobody else's")
  func own() {
    let mine = Resolver(child: .main)
    let other = Resolver()
    other.register { Basket() }
    let line: UInt = #line + 1
    let text = description { () throws(ResolutionError) in try mine.require(Basket.self) }
    #expect(
      text == """
        Nothing is registered for `Basket`.

          requested:  DITestingTests/SharedVariableTests.swift:\(line)
          asked:      container made at DITestingTests/SharedVariableTests.swift:\(line - 4)

        To fix this:
          - Register it: `register { … as Basket }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Basket?`.
        """)
  }

  @Test("a variable that follows the root is each test's own", arguments: 0..<200)
  func cured(number: Int) async {
    Resolver.test = Resolver(child: .main)
    Resolver.test.register { number }
    await Task.yield()
    #expect(Resolver.test.resolve(Int.self) == number)
    #expect(Resolver.resolve(Int.self) == number)
  }
}

extension Resolver {
  fileprivate static var test: Resolver! {
    get { root }
    set { root = newValue }
  }
}
