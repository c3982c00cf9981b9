#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The place of a request, and the service whose factory made it, if any.
struct RequestOrigin: Sendable, Hashable {
  let location: CodeLocation
  let requester: ServiceKey?
}
#endif
