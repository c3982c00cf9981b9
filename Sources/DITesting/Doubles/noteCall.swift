#if canImport(Testing) && canImport(XCTest)
public import DIContainer

/// Records a call of a double that another tool made, in the active recorders.
///
/// The call then appears in their trees below the resolution that returned the double, as those of
/// a ``Stub`` do.
///
/// ```swift
/// noteCall("Mailer.send(_:)", "Receipt", of: (any Mailer).self)
/// ```
///
/// - Parameters:
///   - requirement: The called requirement, as its protocol spells it.
///   - arguments: The arguments, several of them as a tuple. They are described, and not kept.
///   - service: The service that the double is registered for, which identifies the resolution.
///   - name: The name that it is registered under.
public func noteCall<Arguments>(
  _ requirement: String, _ arguments: Arguments, of service: Any.Type? = nil,
  name: Resolver.Name? = nil
) {
  let origin = DoubleOrigin.current(at: CodeLocation())
  let recorders = origin.listening
  if recorders.isEmpty { return }
  let call = CallNote(
    CallText.call(requirement, arguments), number: CallNumbers.next(),
    registrations: service.map { [DoubleRegistration(ServiceKey($0, name: name), at: nil)] } ?? [],
    request: 0)
  call.end(nil)
  for recorder in recorders { recorder.note(call) }
}
#endif
