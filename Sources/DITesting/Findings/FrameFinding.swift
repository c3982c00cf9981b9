#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A finding about a scope's doubles, which is reported when the test ends.
struct FrameFinding: Sendable {
  let text: String
  let location: CodeLocation
  /// The line of the double that was never resolved, if that is the finding.
  var unused: DoublePlace?
  /// The registration that the finding is about, for which there is no other finding.
  var explained: UInt64?
  /// The flag that the registration was resolved after all, so that there is nothing to report.
  var isMoot: Atomic?
}

/// The line that registers a service.
struct DoublePlace: Sendable, Hashable {
  let key: ServiceKey
  let location: CodeLocation

  init(_ registration: Registration) {
    key = registration.key
    location = registration.location
  }
}
#endif
