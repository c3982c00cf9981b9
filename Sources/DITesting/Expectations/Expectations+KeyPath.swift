#if canImport(Testing) && canImport(XCTest)
public import DIContainer

// What a test expects of services that are declared as properties. Requests for the property count,
// whichever container of its type is asked; requests by type do not. A property that an extension
// of `SharedContainer` declares at one place is one, whichever type is asked.

/// Expects a container's property to have been resolved: `expectResolved(\Warehouse.stock)`.
///
/// See `expectResolved(_:name:times:built:)` for the rest.
public func expectResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Recording.current(at: location)?.expectResolved(serviceKey(keyPath), times: times, built: built)
}

/// Expects a container's property not to have been resolved: `expectNotResolved(\Warehouse.stock)`.
public func expectNotResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  recording.expectNotResolved(serviceKey(keyPath))
}

/// Expects a property of `Container`: `expectResolved(\.payments)` to have been resolved.
///
/// See `expectResolved(_:name:times:built:)` for the rest.
public func expectResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  Recording.current(at: location)?.expectResolved(serviceKey(keyPath), times: times, built: built)
}

/// Expects a property of `Container`: `expectNotResolved(\.payments)` not to have been resolved.
public func expectNotResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  recording.expectNotResolved(serviceKey(keyPath))
}

// MARK: - Several properties

/// Expects properties of `Container` to have been asked for in this order: `inOrder: \.a, \.b`.
///
/// Others in between are allowed. A property's first request after the one before it counts.
public func expectResolved<First: FactoryModifying, each Next: FactoryModifying>(
  inOrder first: KeyPath<Container, First>, _ next: repeat KeyPath<Container, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectResolved(inOrder: keys)
}

/// Expects containers' properties to have been asked for in this order.
///
/// Others in between are allowed. A property's first request after the one before it counts:
/// `expectResolved(inOrder: \Warehouse.stock, \Container.clock)`.
public func expectResolved<
  C: SharedContainer, First: FactoryModifying, each D: SharedContainer, each Next: FactoryModifying
>(
  inOrder first: KeyPath<C, First>, _ next: repeat KeyPath<each D, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectResolved(inOrder: keys)
}

/// Expects every service that was resolved to be a double, but for properties of `Container`.
///
/// What is asked for by type is none of them, even if it is of a property's type. See
/// `expectOnlyDoublesResolved(except:)` for the rest.
public func expectOnlyDoublesResolved<First: FactoryModifying, each Next: FactoryModifying>(
  except first: KeyPath<Container, First>, _ next: repeat KeyPath<Container, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectOnlyDoublesResolved { keys.contains($0) }
}

/// Expects every service that was resolved to be a double, but for containers' properties:
/// `expectOnlyDoublesResolved(except: \Warehouse.stock, \Container.clock)`.
///
/// See `expectOnlyDoublesResolved(except:)` for the rest.
public func expectOnlyDoublesResolved<
  C: SharedContainer, First: FactoryModifying, each D: SharedContainer, each Next: FactoryModifying
>(
  except first: KeyPath<C, First>, _ next: repeat KeyPath<each D, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectOnlyDoublesResolved { keys.contains($0) }
}

private func serviceKey<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>
) -> ServiceKey {
  C.shared[keyPath: keyPath].registration.serviceKey
}
#endif
