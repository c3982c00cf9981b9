#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Expectations about the requests that the current recorder recorded. Failures list the services
// that were resolved instead, and are reported at the caller's line in the running framework.

/// Expects a service to have been resolved.
///
/// ```swift
/// _ = try Checkout().buy("TEA-GREEN")
/// expectResolved((any PaymentGateway).self, times: 1)
/// ```
///
/// It counts successful requests in the current recorder (`.recorded`, `withRecorder`,
/// `SandboxTestCase`), by type or by key path, for new and for kept instances. Requests of a
/// decorating double for the service that it decorates do not count.
///
/// - Parameters:
///   - type: The requested type.
///   - name: The requested name; nil for any.
///   - times: The number of requests; nil for at least one.
///   - built: The number of instances built for these requests; nil for any number.
public func expectResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectResolved(
    ServiceKey(type, name: name), times: times, built: built)
}

/// Expects a service not to have been resolved.
///
/// See `expectResolved(_:name:times:built:)` for the requests that count.
public func expectNotResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectNotResolved(ServiceKey(type, name: name))
}

/// Expects services to have been requested in this order, possibly with others in between.
///
/// For each service, its first request after that of the previous one counts.
public func expectResolved(
  inOrder types: Any.Type..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectResolved(inOrder: types.map { ServiceKey($0) })
}

/// Expects every resolved service to be a double, not a registration of production code.
///
/// A service that a double decorates may be live; the dependencies of that service may not.
///
/// - Parameter types: The services that may be live.
public func expectOnlyDoublesResolved(
  except types: Any.Type..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  expectOnlyDoublesResolved(
    except: types, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects every resolved service to be a double, except for a list of services.
public func expectOnlyDoublesResolved(
  except types: [Any.Type], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectOnlyDoublesResolved { key in
    types.contains { $0 == key.type }
  }
}
#endif
