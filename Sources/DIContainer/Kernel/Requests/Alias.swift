// A registration that forwards to another one: `implements` and `as`. A request for the protocol
// resolves to the current registration of the service, which is then converted to the protocol.

extension Alias {
  /// Returns an instance of the target as the service; throws if it is none.
  func convert(_ instance: Instance, _ request: Request) throws -> Instance {
    if let converted = conversion(instance) { return converted }
    throw ResolutionError.notImplemented(
      service, by: target.type, instance.any, request, at: location)
  }
}
