import DIContainer
import DITesting
public import HTTPTypes
public import Hummingbird

/// Serves each request with the doubles of the test that sent it.
///
/// It goes before all other middleware of a server that several tests share. A test sends requests
/// with `headers: .sandbox`; those without that are served as the server itself was set up.
public struct SandboxMiddleware<Context: RequestContext>: RouterMiddleware {
  /// Creates the middleware.
  public init() {}

  /// Passes a request on within the sandbox that its token stands for.
  ///
  /// If that sandbox has ended, the response has the status 503 and the diagnosis as its text.
  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let text = request.headers[.sandboxToken] else {
      return try await next(request, context)
    }
    do {
      let sandbox = try SandboxToken(text).context()
      var response = try await sandbox.run { try await next(request, context) }
      // A body may be written when all middleware is done.
      let body = response.body
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        try await sandbox.run { try await body.write(writer) }
      }
      return response
    } catch let error as SandboxTokenError {
      return Response(
        status: .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: error.description)))
    }
  }
}

extension HTTPFields {
  /// The field that has a request served with the doubles of the current sandbox.
  ///
  /// Where none is open, the server says so in its response.
  public static var sandbox: HTTPFields {
    [.sandboxToken: SandboxToken.current?.description ?? "no sandbox is open"]
  }
}

extension HTTPField.Name {
  /// The name of the field with the sandbox's token.
  public static let sandboxToken = Self("X-Sandbox-Token")!
}
