#if canImport(Testing) && canImport(XCTest)
public import DIContainer
import Foundation

/// An unguessable name for a test's sandbox, for work that a test starts by sending a message.
///
/// A closure can carry a `ResolutionContext`; a message to a server cannot. It carries a token
/// instead, by which the server, in the same process, finds the context:
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
/// A token extends the lifetime of neither the sandbox nor its instances.
public struct SandboxToken: Sendable, Hashable, CustomStringConvertible {
  /// The token as text: 32 hexadecimal digits, if it comes from ``current``.
  public let description: String

  /// Creates a token from its text.
  ///
  /// - Parameter description: The text of a token; any other text refers to no sandbox.
  public init(_ description: String) {
    self.description = description
  }

  /// The token of the scopes in which the current task resolves, or nil if none is open.
  ///
  /// It refers to all of them: the sandbox, the layers and scoped roots inside it, and recorders.
  /// Equal scopes have equal tokens.
  public static var current: SandboxToken? {
    guard let scope = ContextFrame.current else { return nil }
    let token = scope.extra(
      SandboxToken.self, orMake: { SandboxToken(UUID().uuidString.filter { $0 != "-" }) })
    let open = issued.withLock { issued -> [SandboxToken: ContextFrame] in
      if issued[token] != nil { return [:] }
      defer { issued[token] = Issued(frame: scope, place: scope.opener.place) }
      if issued.count < 1_000 { return [:] }
      // A process may run any number of tests.
      let open = issued.compactMapValues(\.frame)
      issued = issued.filter { open[$0.key]?.hasEnded == false }
      return open
    }
    releaseUnlocked(open)
    return token
  }

  /// Returns the context of the scopes that the token refers to.
  ///
  /// - Throws: `SandboxTokenError` if one of the scopes has ended, or if the token is not of this
  ///   process, or of a scope that ended long ago.
  /// - Returns: The context, to run work in.
  public func context() throws(SandboxTokenError) -> ResolutionContext {
    guard let scope = Self.issued.withLock({ $0[self] }) else {
      throw SandboxTokenError(unknown: self)
    }
    guard let frame = scope.frame, !frame.chain.contains(where: \.hasEnded) else {
      throw SandboxTokenError(ended: scope.place)
    }
    return ContextFrame.$bound.withValue(frame) { ResolutionContext.current }
  }

  private struct Issued {
    weak var frame: ContextFrame?
    /// The place of the test, or of what opened the scope.
    let place: String
  }

  private static let issued = Lock<[SandboxToken: Issued]>([:])
}

/// The error for a ``SandboxToken`` that refers to no open sandbox.
public struct SandboxTokenError: Error, Sendable, CustomStringConvertible {
  /// The diagnosis: the sandbox, if it is known, and how to fix the failure.
  public let description: String

  init(ended place: String) {
    description =
      Diagnosis(
        headline: "The sandbox of this token has ended.",
        facts: [("sandbox:", place)],
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
          "Keep no token from an earlier test: those of ended sandboxes are forgotten in time.",
        ]
      ).text
  }
}
#endif
