#if canImport(Testing) && canImport(XCTest)
public import DIContainer

/// A name for a test's sandbox that cannot be guessed, for work that a test starts by a message.
///
/// A task takes its `ResolutionContext` along; a request to a server cannot. It carries a token
/// instead, and the server, in the same process, finds the context by it:
///
/// ```swift
/// @Test(.sandbox { $0.register { FakeGateway() as any PaymentGateway } })
/// func chargesByMessage() async throws {
///   let message = SandboxToken.current?.description ?? ""
///   try await Task.detached {
///     try SandboxToken(message).context().run { try Checkout().buy("TEA-GREEN") }
///   }.value
/// }
/// ```
///
/// A token holds nothing: neither the sandbox, nor what it keeps, lives longer for it.
public struct SandboxToken: Sendable, Hashable, CustomStringConvertible {
  /// The token as text: 32 hexadecimal digits, if it comes from ``current``.
  public let description: String

  /// Creates a token from its text.
  ///
  /// - Parameter description: The text of a token; any other stands for no sandbox.
  public init(_ description: String) {
    self.description = description
  }

  /// The token of the scopes that the current task resolves in, or nil where none is open.
  ///
  /// It stands for all of them: the sandbox, the layers and scoped roots inside it, recorders. The
  /// same scopes have the same token.
  public static var current: SandboxToken? {
    guard let frame = ContextFrame.current else { return nil }
    // A promise to do work with the sandbox is made by who uses the token, not by who has it.
    let scope = frame.isCarrier ? frame.parent ?? frame : frame
    let token = scope.extra(SandboxToken.self, orMake: { SandboxToken(randomText()) })
    issued.withLock { issued in
      if issued[token] == nil { issued[token] = Scope(frame: scope, owner: scope.owner) }
    }
    return token
  }

  /// The context of the scopes that the token stands for.
  ///
  /// - Throws: `SandboxTokenError` if one of the scopes has ended, or if the token is not of this
  ///   process.
  /// - Returns: The context, to run work in.
  public func context() throws(SandboxTokenError) -> ResolutionContext {
    guard let scope = Self.issued.withLock({ $0[self] }) else {
      throw SandboxTokenError(unknown: self)
    }
    guard let frame = scope.frame, !frame.chain.contains(where: \.hasEnded) else {
      throw SandboxTokenError(ended: scope.owner)
    }
    return ContextFrame.$bound.withValue(frame.carrier ?? frame) { ResolutionContext.current }
  }

  private struct Scope {
    weak var frame: ContextFrame?
    let owner: ContextFrame.Owner
  }

  private static let issued = Lock<[SandboxToken: Scope]>([:])

  private static func randomText() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The reason why a ``SandboxToken`` leads to no sandbox.
public struct SandboxTokenError: Error, Sendable, CustomStringConvertible {
  /// The diagnosis: whose sandbox it was, and how to mend it.
  public let description: String

  init(ended owner: ContextFrame.Owner) {
    description =
      Diagnosis(
        headline: "The sandbox of this token has ended.",
        facts: [("sandbox:", owner.place)],
        fixes: [
          "Let the test await the work that it starts, such as the responses to its requests.",
          "Take the token in the test that sends it, and keep none from an earlier test.",
        ]
      ).text
  }

  init(unknown token: SandboxToken) {
    description =
      Diagnosis(
        headline: "No sandbox of this process has the token \"\(token)\".",
        fixes: [
          "Take the token inside a sandbox: `SandboxToken.current`.",
          "Send it to the process that the test runs in: no other has its doubles.",
        ]
      ).text
  }
}
#endif
