#if canImport(Testing) && canImport(XCTest)
import DIContainer

// What a test expects of the recorder that is listening. Failures name what was resolved instead,
// and are reported at the caller's line in whichever framework is running.

/// Expects a service to have been resolved.
///
/// Counts answered requests to the current recorder (`.recorded`, `withRecorder`,
/// `SandboxTestCase`), by type or by key path, made or kept alike. Those that a double makes for
/// what it wraps do not count.
///
/// - Parameters:
///   - type: The type that was asked for.
///   - name: The name that it was asked for under; with nil, any.
///   - times: How often it is to have been asked for; with nil, at least once.
///   - built: How many instances are to have been made for these requests; with nil, any number.
///   - fileID: The caller's file, for the report.
///   - filePath: The caller's file, for the report.
///   - line: The caller's line, for the report.
///   - column: The caller's column, for the report.
public func expectResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Recording.current(at: location)?.expectResolved(
    ServiceKey(type, name: name), times: times, built: built)
}

/// Expects a service not to have been resolved.
///
/// See `expectResolved(_:name:times:built:)` for what counts.
public func expectNotResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  recording.expectNotResolved(ServiceKey(type, name: name))
}

/// Expects services to have been asked for in this order, others in between allowed.
///
/// A service's first request after the one before it in the list counts.
public func expectResolved(
  inOrder types: Any.Type..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Recording.current(at: location)?.expectResolved(inOrder: types.map { ServiceKey($0) })
}

/// Expects every service that was resolved to be a double, not what production set up.
///
/// What a double wraps may be live; what that asks for may not.
///
/// - Parameters:
///   - types: Services that may be live.
///   - fileID: The caller's file, for the report.
///   - filePath: The caller's file, for the report.
///   - line: The caller's line, for the report.
///   - column: The caller's column, for the report.
public func expectOnlyDoublesResolved(
  except types: Any.Type..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  expectOnlyDoublesResolved(
    except: types, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects every service that was resolved to be a double, but for a list.
public func expectOnlyDoublesResolved(
  except types: [Any.Type], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Recording.current(at: location)?.expectOnlyDoublesResolved { key in
    types.contains { $0 == key.type }
  }
}
#endif
