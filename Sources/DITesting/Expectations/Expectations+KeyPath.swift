#if canImport(Testing) && canImport(XCTest)
public import DIContainer

// Expectations about services that are declared as properties. They count requests for the
// property of any container of its type, but no requests by type. A property that an extension of
// `SharedContainer` declares at one place is one property for all container types.

/// Expects a container's property to have been resolved: `expectResolved(\Warehouse.stock)`.
///
/// See `expectResolved(_:name:times:built:)` for details.
public func expectResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectResolved(serviceKey(keyPath), times: times, built: built)
}

/// Expects a container's property not to have been resolved: `expectNotResolved(\Warehouse.stock)`.
public func expectNotResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectNotResolved(serviceKey(keyPath))
}

/// Expects a property of `Container` to have been resolved: `expectResolved(\.payments)`.
///
/// See `expectResolved(_:name:times:built:)` for details.
public func expectResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectResolved(serviceKey(keyPath), times: times, built: built)
}

/// Expects a property of `Container` not to have been resolved: `expectNotResolved(\.payments)`.
public func expectNotResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  Recording.current(at: location)?.expectNotResolved(serviceKey(keyPath))
}

// MARK: - Several properties

/// Expects properties of `Container` to have been requested in this order: `inOrder: \.a, \.b`.
///
/// Other requests in between are allowed. For each property, its first request after that of the
/// previous one counts.
public func expectResolved<First: FactoryModifying, each Next: FactoryModifying>(
  inOrder first: KeyPath<Container, First>, _ next: repeat KeyPath<Container, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectResolved(inOrder: keys)
}

/// Expects containers' properties to have been requested in this order.
///
/// Other requests in between are allowed. For each property, its first request after that of the
/// previous one counts: `expectResolved(inOrder: \Warehouse.stock, \Container.clock)`.
public func expectResolved<
  C: SharedContainer, First: FactoryModifying, each D: SharedContainer, each Next: FactoryModifying
>(
  inOrder first: KeyPath<C, First>, _ next: repeat KeyPath<each D, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectResolved(inOrder: keys)
}

/// Expects every resolved service to be a double, except for properties of `Container`.
///
/// A request by type is not excepted, even if it is for a property's type. See
/// `expectOnlyDoublesResolved(except:)` for details.
public func expectOnlyDoublesResolved<First: FactoryModifying, each Next: FactoryModifying>(
  except first: KeyPath<Container, First>, _ next: repeat KeyPath<Container, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectOnlyDoublesResolved { keys.contains($0) }
}

/// Expects every resolved service to be a double, except for containers' properties.
///
/// An example is `expectOnlyDoublesResolved(except: \Warehouse.stock, \Container.clock)`. See
/// `expectOnlyDoublesResolved(except:)` for details.
public func expectOnlyDoublesResolved<
  C: SharedContainer, First: FactoryModifying, each D: SharedContainer, each Next: FactoryModifying
>(
  except first: KeyPath<C, First>, _ next: repeat KeyPath<each D, each Next>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(at: location)?.expectOnlyDoublesResolved { keys.contains($0) }
}

private func serviceKey<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>
) -> ServiceKey {
  C.shared[keyPath: keyPath]._registration.serviceKey
}
#endif
