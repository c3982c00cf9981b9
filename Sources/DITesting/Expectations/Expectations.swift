#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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
  Recording.current(fileID, filePath, line, column)?.expectResolved(
    ServiceKey(type, name: name), times: times, built: built)
}

/// Expects a service not to have been resolved.
///
/// See `expectResolved(_:name:times:built:)` for the requests that count.
public func expectNotResolved<Service>(
  _ type: Service.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  Recording.current(fileID, filePath, line, column)?.expectNotResolved(ServiceKey(type, name: name))
}

/// Expects services to have been requested in this order, possibly with others in between.
///
/// For each service, its first request after that of the previous one counts.
public func expectResolved(
  inOrder types: Any.Type..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  Recording.current(fileID, filePath, line, column)?.expectResolved(
    inOrder: types.map { ServiceKey($0) })
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
  Recording.current(fileID, filePath, line, column)?.expectOnlyDoublesResolved { key in
    types.contains { $0 == key.type }
  }
}

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
  Recording.current(fileID, filePath, line, column)?.expectResolved(
    serviceKey(keyPath), times: times, built: built)
}

/// Expects a container's property not to have been resolved: `expectNotResolved(\Warehouse.stock)`.
public func expectNotResolved<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  Recording.current(fileID, filePath, line, column)?.expectNotResolved(serviceKey(keyPath))
}

/// Expects a property of `Container` to have been resolved: `expectResolved(\.payments)`.
///
/// See `expectResolved(_:name:times:built:)` for details.
public func expectResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, times: Int? = nil, built: Int? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  Recording.current(fileID, filePath, line, column)?.expectResolved(
    serviceKey(keyPath), times: times, built: built)
}

/// Expects a property of `Container` not to have been resolved: `expectNotResolved(\.payments)`.
public func expectNotResolved<Declared: FactoryModifying>(
  _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  Recording.current(fileID, filePath, line, column)?.expectNotResolved(serviceKey(keyPath))
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
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(fileID, filePath, line, column)?.expectResolved(inOrder: keys)
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
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(fileID, filePath, line, column)?.expectResolved(inOrder: keys)
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
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(fileID, filePath, line, column)?.expectOnlyDoublesResolved { keys.contains($0) }
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
  var keys = [serviceKey(first)]
  repeat keys.append(serviceKey(each next))
  Recording.current(fileID, filePath, line, column)?.expectOnlyDoublesResolved { keys.contains($0) }
}

private func serviceKey<C: SharedContainer, Declared: FactoryModifying>(
  _ keyPath: KeyPath<C, Declared>
) -> ServiceKey {
  C.shared[keyPath: keyPath]._registration.serviceKey
}
#endif
