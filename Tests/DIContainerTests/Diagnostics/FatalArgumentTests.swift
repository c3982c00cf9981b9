import DIContainer
import Testing

/// What a process prints that traps because of the arguments of a request.
@Suite("Fatal arguments")
struct FatalArgumentTests {
  private let here = "DIContainerTests/FatalArgumentTests.swift"

  private static let trapMissingArgumentLine = #line + 2
  private static func trapMissingArgument() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args() }
    _ = resolver.resolve(Int.self)
  }

  @Test("args(): none was passed, with the request's line to blame")
  func missingArgument() async {
    let line = Self.trapMissingArgumentLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalArgumentTests.trapMissingArgument()
    }
    let text = """
      The factory of `Int` needs an argument of type `Int`: none was passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: …` with a value of type `Int`.
        - If it may be absent, read it with `args.optional()`.
        - To have `try require` throw this, read it with `try args.require()`.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }

  private static let trapKeyedArgumentLine = #line + 2
  private static func trapKeyedArgument() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args("id") }
    _ = resolver.resolve(Int.self, args: ["nr": 3])
  }

  private static let trapKeyedArgumentAgainLine = #line + 2
  private static func trapKeyedArgumentAgain() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args("id") }
    _ = resolver.resolve(Int.self, args: ["id": "3"])
  }

  @Test("args(key): missing, and of the wrong type")
  func keyedArgument() async {
    let line = Self.trapKeyedArgumentLine
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalArgumentTests.trapKeyedArgument()
    }
    let missingText = """
      The factory of `Int` needs an argument "id" of type `Int`: it is missing.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Pass it: `args: ["id": …]` with a value of type `Int` (passed: "nr").
        - If it may be absent, read it with `args.optional("id")`.
        - To have `try require` throw this, read it with `try args.require("id")`.
      """
    #expect(missing?.start(of: fatal(line + 2, missingText)) == fatal(line + 2, missingText))
    let next = Self.trapKeyedArgumentAgainLine
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalArgumentTests.trapKeyedArgumentAgain()
    }
    let wrongText = """
      The factory of `Int` reads the argument "id" as `Int`, but it is of type `String`.

        requested:  \(here):\(next + 2)
        read:       \(here):\(next + 1)

      To fix this:
        - Pass a value of type `Int`, or read it as `String`.
        - To have `try require` throw this, read it with `try args.require("id")`.
      """
    #expect(wrong?.start(of: fatal(next + 2, wrongText)) == fatal(next + 2, wrongText))
  }

  private static let trapSeveralArgumentsLine = #line + 2
  private static func trapSeveralArguments() {
    let resolver = Resolver()
    resolver.register { _, args -> Int in args() }
    _ = resolver.resolve(Int.self, args: ["a": 1, "b": 2])
  }

  @Test("args(): several were passed")
  func severalArguments() async {
    let line = Self.trapSeveralArgumentsLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalArgumentTests.trapSeveralArguments()
    }
    let text = """
      The factory of `Int` reads its only argument, but several were passed.

        requested:  \(here):\(line + 2)
        read:       \(here):\(line + 1)

      To fix this:
        - Read each by its key: `args("a")`, `args("b")`.
      """
    #expect(result?.start(of: fatal(line + 2, text)) == fatal(line + 2, text))
  }
}
