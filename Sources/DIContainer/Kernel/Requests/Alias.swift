// A registration that forwards to another one: `implements` and `as`. A request for the protocol
// resolves to the current registration of the service, which is then converted to the protocol.

extension Alias {
  /// Copies an instance of the target to memory, as a service; returns false if it is none.
  func convert(_ memory: InstanceMemory, to out: InstanceMemory) -> Bool {
    conversion(memory, out)
  }

  /// Returns the reason why an instance of the target could not be converted.
  func failure(_ memory: InstanceMemory, _ request: Request) -> ResolutionError {
    .notImplemented(
      service, by: target.type, memory.load(target.type), request, at: location)
  }

  /// Returns a box with the service for an instance of the target.
  func convert(_ box: AnyBox, _ request: Request) throws -> AnyBox? {
    try AnyBox.strong(of: service) { out in
      try box.withCopy(of: target.type) { memory -> Bool in
        guard convert(memory, to: out) else { throw failure(memory, request) }
        return true
      } ?? false
    }
  }
}
