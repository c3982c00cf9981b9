/// A type that a container can answer a request for although nothing is registered for it: an
/// optional, or a lazy wrapper.
protocol AnswersUnregistered {
  /// Puts the answer into memory; false if there is none.
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool
}

/// One that is handed out in any case, and asks for what it holds, now or later.
protocol RequestWrapper: AnswersUnregistered {}

extension Optional: AnswersUnregistered {
  /// The answer for what it wraps.
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let inner = Request(
      Wrapped.self, name: request.name, property: request.property, location: request.location)
    let service: Wrapped? = try Engine.answer(inner, args: args?.pointee, asked: asked)
    // An optional is always answered: with nil, if nothing is registered.
    out.initializeMemory(as: Wrapped?.self, to: service)
    return true
  }
}
