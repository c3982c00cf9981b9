public import DIContainer

extension Resolver {
  /// Registers everything, in `main`: once per process, from `registerAllServices`.
  public static func wireBookmarks() {
    _ = Assembler([EdgesAssembly(), BookmarksAssembly()], container: .main)
  }

  /// A request's container: its own values, and all else from the root.
  static func request(
    _ id: RequestID, _ credentials: Credentials, _ transaction: Transaction
  ) -> Resolver {
    Resolver(child: .root) { request in
      request.register { id }
      request.register { credentials }
      request.register { transaction }
    }
  }

  /// A container of a request's shape, to check and to draw: nobody is to ask it for anything.
  public static var requestShape: Resolver {
    Resolver(child: .root) { request in
      request.register(RequestID.self) { nil }
      request.register(Credentials.self) { nil }
      request.register(Transaction.self) { nil }
    }
  }
}
