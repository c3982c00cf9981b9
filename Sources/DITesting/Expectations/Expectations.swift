#if canImport(Testing) && canImport(XCTest)
import DIContainer

// What a test expects of the recorder that is listening. Failures name what was resolved instead,
// and are reported at the caller's line in whichever framework is running.

/// Expects a service to have been resolved.
///
/// Counts answered requests to the current recorder (`.recorded`, `withRecorder`,
/// `SandboxTestCase`), by type or by key path, made or kept alike.
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
/// - Returns: The events of these requests.
@discardableResult
public func expectResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [ResolutionEvent] {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return [] }
  return recording.expectResolved(ServiceKey(type, name: name), times: times, built: built)
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
  guard let recording = Recording.current(at: location) else { return }
  var rest = recording.resolutions[...]
  var previous: Any.Type?
  for type in types {
    guard let place = rest.firstIndex(where: { $0.key.type == type }) else {
      let order = types.map { describe($0) }.joined(separator: ", ")
      let after = previous.map { " after `\(describe($0))`" } ?? ""
      recording.fail(
        "Expected to be resolved in this order: \(order). "
          + "But `\(describe(type))` was not resolved\(after).")
      return
    }
    rest = rest[(place + 1)...]
    previous = type
  }
}

/// Expects every service that was resolved to be a double, not what production set up.
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
  guard let recording = Recording.current(at: location) else { return }
  let live = recording.resolutions.filter { event in
    !event.isDouble && !types.contains { $0 == event.key.type }
  }
  guard !live.isEmpty else { return }
  var seen: [String] = []
  let facts = live.compactMap { event -> (String, String)? in
    let text =
      "`\(event.key)` in \(event.container), registered at \(event.registeredAt!), "
      + "requested at \(event.requestedAt!)"
    if seen.contains(text) { return nil }
    seen.append(text)
    return ("live:", text)
  }
  recording.fail(
    "Expected only doubles to be resolved, but "
      + (facts.count == 1 ? "a live service was." : "\(facts.count) live services were."),
    facts: facts,
    fixes: [
      "Register a double: \(live[0].key.doubleAdvice("mock."))"
        + (live[0].key.property == nil ? "." : " in a layer."),
      "If it may be live, say so: `except: \(metatypeText(live[0].key.type))`.",
    ])
}
#endif
