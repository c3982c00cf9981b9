#if canImport(Testing) && canImport(XCTest)
public import DIContainer

// What a test expects of services that are declared as properties. Requests for the property count,
// whichever container of its type is asked; requests by type do not. A property that an extension
// of `SharedContainer` declares at one place is one, whichever type is asked.

/// Expects a container's property to have been resolved: `expectResolved(\Warehouse.stock)`.
///
/// See `expectResolved(_:name:times:built:)` for the rest.
@discardableResult
public func expectResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [ResolutionEvent] {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return [] }
  return recording.expectResolved(
    C.shared[keyPath: keyPath].registration.serviceKey, times: times, built: built)
}

/// Expects a container's property not to have been resolved: `expectNotResolved(\Warehouse.stock)`.
public func expectNotResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  recording.expectNotResolved(C.shared[keyPath: keyPath].registration.serviceKey)
}

/// Expects a property of `Container`: `expectResolved(\.payments)` to have been resolved.
///
/// See `expectResolved(_:name:times:built:)` for the rest.
@discardableResult
public func expectResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> [ResolutionEvent] {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return [] }
  return recording.expectResolved(
    Container.shared[keyPath: keyPath].registration.serviceKey, times: times, built: built)
}

/// Expects a property of `Container`: `expectNotResolved(\.payments)` not to have been resolved.
public func expectNotResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  recording.expectNotResolved(Container.shared[keyPath: keyPath].registration.serviceKey)
}
#endif
